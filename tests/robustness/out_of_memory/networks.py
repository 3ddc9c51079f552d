"""Scenarios of what is built from tensors: layers, losses, optimizers, distributions, data, checkpoints."""

import minigrad as torch
from minigrad import distributions, nn, optim
from minigrad.nn import functional as F
from minigrad.nn.utils import parametrizations, prune
from minigrad.nn.utils import rnn as ragged
from minigrad.optim import lr_scheduler
from minigrad.utils import checkpoint, data

torch.manual_seed(1)
ROWS = torch.randn(4, 6, dtype=torch.float64)
PICTURES = torch.randn(2, 3, 6, 6, dtype=torch.float64)
WORDS = torch.randn(5, 2, 4, dtype=torch.float64)                  # time, batch, features
TEXT = torch.tensor([[1, 2, 0], [3, 3, 1]])
CLASSES = torch.tensor([0, 2, 1, 2])
MASK = torch.ones(3, 3, dtype=torch.bool).tril()

MLP = nn.Sequential(nn.Linear(6, 8), nn.LayerNorm(8), nn.GELU(), nn.Dropout(0.5), nn.Linear(8, 3)).double()
CONV = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.ConvTranspose2d(4, 2, 2),
                     nn.GroupNorm(2, 2), nn.AdaptiveAvgPool2d(2), nn.Flatten()).double()
NORMED = nn.BatchNorm2d(3).double()
LSTM, GRU = nn.LSTM(4, 3, num_layers=2, bidirectional=True).double(), nn.GRU(4, 3).double()
ATTENTION, ENCODER = nn.MultiheadAttention(4, 2).double(), nn.TransformerEncoderLayer(4, 2, 8, dropout=0.).double()
EMBEDDING, BAG = nn.Embedding(5, 3, padding_idx=0).double(), nn.EmbeddingBag(5, 3, mode="mean").double()
PLAIN = nn.Linear(6, 3).double()
RAGGED = ragged.pack_padded_sequence(WORDS, torch.tensor([5, 3]))


def trained(model, y):
    """The result, and the gradients of the parameters."""
    model.zero_grad()
    y.square().sum().backward()
    return y, [p.grad for p in model.parameters()]


def layers():
    torch.manual_seed(2)
    return trained(MLP, MLP(ROWS))


def convolutions():
    return trained(CONV, CONV(PICTURES))


def running_averages():
    """Of which batches are counted before they are refused or not."""
    NORMED.reset_running_stats()
    y = trained(NORMED, NORMED(PICTURES))
    return y, NORMED.running_mean, NORMED.running_var, NORMED.num_batches_tracked


def recurrent():
    y, (h, c) = LSTM(WORDS)
    z, _ = GRU(RAGGED)
    return h, c, trained(LSTM, y), trained(GRU, ragged.pad_packed_sequence(z)[0])


def attention():
    y, weights = ATTENTION(WORDS[:3], WORDS[:3], WORDS[:3], attn_mask=~MASK)
    q = ROWS.reshape(1, 4, 6)
    return weights, trained(ATTENTION, y), trained(ENCODER, ENCODER(WORDS)), F.scaled_dot_product_attention(
        q, q, q, is_causal=True)


def losses():
    x = ROWS.clone().requires_grad_()
    y = (F.cross_entropy(x, CLASSES, label_smoothing=0.1) + F.nll_loss(x.log_softmax(1), CLASSES)
         + F.mse_loss(x, x.flip(0)) + F.huber_loss(x, x.roll(1, 0)) + F.kl_div(x.log_softmax(1), x.softmax(1).detach())
         + F.binary_cross_entropy_with_logits(x, x.sigmoid().detach()) + F.multi_margin_loss(x, CLASSES)
         + F.multilabel_margin_loss(x[0], torch.tensor([1, 2, -1, 0, 0, 0])) + F.poisson_nll_loss(x, x.detach().abs())
         + F.cosine_embedding_loss(x, x.flip(0), torch.ones(4)) + F.triplet_margin_loss(x, x.flip(0), x.roll(1, 0))
         + F.ctc_loss(x[:, None].log_softmax(2), torch.tensor([[1, 2]]), (4,), (2,)) + F.smooth_l1_loss(x, x.sin()))
    return y, torch.autograd.grad(y, x)


def embeddings():
    return trained(EMBEDDING, EMBEDDING(TEXT)), trained(BAG, BAG(TEXT))


def functions_of_layers():
    x = PICTURES.clone().requires_grad_()
    y = (F.interpolate(x, scale_factor=2., mode="bilinear").sum() + F.unfold(x, 2).sum() + F.pixel_shuffle(
        x.repeat(1, 4, 1, 1), 2).sum() + F.avg_pool2d(x, 2).sum() + F.lp_pool2d(x, 2, 2).sum() + F.normalize(x).sum()
        + F.grid_sample(x, F.affine_grid(torch.eye(2, 3, dtype=torch.float64).expand(2, 2, 3), [2, 3, 4, 4])).sum()
        + F.local_response_norm(x, 2).sum() + F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2).sum()
        + F.glu(x[..., :4]).sum() + F.softplus(x).sum() + F.one_hot(CLASSES).sum())
    return y, torch.autograd.grad(y, x)


def parametrized():
    torch.manual_seed(3)
    model = nn.Linear(6, 3).double()
    parametrizations.weight_norm(model)
    prune.l1_unstructured(model, "bias", amount=1)
    nn.init.orthogonal_(model.parametrizations.weight.original1)
    y = trained(model, model(ROWS))
    return y, nn.utils.parameters_to_vector(model.parameters())


def clipped():
    model = nn.Linear(6, 3).double().requires_grad_(False).requires_grad_()
    with torch.no_grad():
        for p in model.parameters():
            p.fill_(0.5)
    model(ROWS).sum().backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.)
    nn.utils.clip_grad_value_(model.parameters(), 0.1)
    return norm, [p.grad for p in model.parameters()], model.state_dict()


def modules():
    model = nn.ModuleDict({"a": nn.Linear(2, 2), "b": nn.ModuleList([nn.Identity(), nn.PReLU()])}).double()
    model.load_state_dict({name: torch.ones_like(value) for name, value in model.state_dict().items()})
    handle = model["a"].register_forward_hook(hooked)
    y = model["a"](torch.ones(1, 2, dtype=torch.float64))
    handle.remove()
    return y, repr(model), [name for name, _ in model.named_parameters()], sum(p.numel() for p in model.parameters())


def hooked(module, given, y):
    return y * 2


OPTIMIZERS = {
    "SGD": {"momentum": 0.9, "nesterov": True}, "Adam": {"amsgrad": True}, "AdamW": {}, "RMSprop": {"momentum": 0.1},
    "Adagrad": {}, "Adadelta": {}, "Adamax": {}, "NAdam": {}, "RAdam": {}, "Rprop": {}, "ASGD": {}}


def parameters():
    return [torch.tensor([1., 2., 3.], dtype=torch.float64, requires_grad=True),
            torch.tensor([[0.5]], dtype=torch.float64, requires_grad=True)]


def steps():
    found = []
    for name, options in OPTIMIZERS.items():
        some = parameters()
        optimizer = getattr(optim, name)(some, lr=0.1, **options)
        for _ in range(2):
            optimizer.zero_grad()
            (some[0].square().sum() * some[1]).sum().backward()
            optimizer.step()
        found.append((some, optimizer.state_dict()["state"]))
    return found


def steps_with_a_closure():
    some = parameters()
    optimizer = optim.LBFGS(some, lr=0.1, max_iter=3, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = (some[0].square().sum() * some[1].square()).sum()
        loss.backward()
        return loss

    return optimizer.step(closure), some


def schedules():
    some = parameters()
    optimizer = optim.SGD(some, lr=1.)
    schedule = lr_scheduler.SequentialLR(
        optimizer, [lr_scheduler.LinearLR(optimizer), lr_scheduler.StepLR(optimizer, 2)], [2])
    plateau = lr_scheduler.ReduceLROnPlateau(optimizer, patience=0)
    rates = []
    for _ in range(4):
        optimizer.step()
        schedule.step()
        plateau.step(1.)
        rates.append(schedule.get_last_lr())
    return rates, optim.swa_utils.AveragedModel(PLAIN).module(ROWS)


def laws():
    torch.manual_seed(4)
    p = torch.tensor([0.3, 0.6], dtype=torch.float64, requires_grad=True)
    d = distributions
    several = [d.Normal(p, p + 1), d.Gamma(p, p), d.Beta(p, p), d.Exponential(p), d.Laplace(p, p), d.StudentT(p + 3),
               d.Dirichlet(p), d.MultivariateNormal(p, torch.diag(p)), d.Uniform(p, p + 1),
               d.TransformedDistribution(d.Normal(p, 1.), [d.transforms.ExpTransform()])]
    found = [(law.rsample(), law.log_prob(law.sample().clamp(0.31, 0.6) if law.event_shape == () else law.sample()))
             for law in several]
    found += [(law.sample(), law.log_prob(law.sample())) for law in (
        d.Bernoulli(p), d.Categorical(p), d.Poisson(p), d.Binomial(4, p), d.Geometric(p))]
    total = d.kl_divergence(several[0], d.Normal(0., 1.)).sum() + several[0].entropy().sum()
    return found, torch.autograd.grad(total, p)


def batches():
    torch.manual_seed(5)
    set_ = data.TensorDataset(ROWS, CLASSES)
    first, second = data.random_split(set_, [3, 1])
    loader = data.DataLoader(data.ConcatDataset([first, second]), batch_size=3, shuffle=True)
    weighted = data.DataLoader(set_, sampler=data.WeightedRandomSampler([1., 2., 3., 4.], 3), batch_size=2)
    return [*loader], [*weighted]


def checkpoints():
    x = ROWS.clone().requires_grad_()
    y = checkpoint.checkpoint(PLAIN, x, use_reentrant=False)
    z = checkpoint.checkpoint_sequential([PLAIN, torch.sin], 2, x, use_reentrant=False)
    return trained(PLAIN, y + z), x.grad


def mixed_precision():
    with torch.autocast("cpu"):
        y = F.linear(ROWS, PLAIN.weight)
    return y, torch.amp.GradScaler("cpu", enabled=False).scale(y)


def compiled():
    return torch.compile(PLAIN)(ROWS), torch.jit.script(PLAIN)(ROWS), nn.DataParallel(PLAIN)(ROWS)


SCENARIOS = (layers, convolutions, running_averages, recurrent, attention, losses, embeddings, functions_of_layers,
             parametrized, clipped, modules, steps, steps_with_a_closure, schedules, laws, batches, checkpoints,
             mixed_precision, compiled)
