"""RNN, LSTM, GRU and their cells: reprs, keys, outputs, gradients, packed sequences, errors."""
# to 1e-6
import copy
import torch
from torch import nn
from torch.nn.utils import rnn

torch.set_default_dtype(torch.float64)


def some(*shape, speed=3.):
    n = 1
    for size in shape:
        n *= size
    return torch.linspace(-speed, speed + 1, n).sin().reshape(shape) * 0.7


def fixed(module):
    with torch.no_grad():
        for k, param in enumerate(module.parameters()):
            param.copy_(some(*param.shape, speed=k + 2.))
    return module


def complains(f):
    try:
        f()
    except (TypeError, ValueError, RuntimeError) as wrong:
        text = str(wrong)
        for end in (" tensor", " instead", ", not", ", in "):
            text = text.partition(end)[0]
        print(text[:110])
    else:
        print("nothing")


def flat(states):
    return torch.cat([s.flatten() for s in (states if isinstance(states, tuple) else (states,))])


networks = [nn.RNN(3, 4), nn.RNN(3, 4, 2, "relu", bidirectional=True), nn.RNN(3, 4, nonlinearity="relu", bias=False),
            nn.GRU(3, 4), nn.GRU(3, 4, num_layers=2, batch_first=True, bidirectional=True), nn.GRU(3, 4, bias=False),
            nn.LSTM(3, 4), nn.LSTM(3, 4, 2, bidirectional=True, batch_first=True), nn.LSTM(3, 4, bias=False),
            nn.LSTM(3, 4, num_layers=2, proj_size=2, bidirectional=True), nn.LSTM(3, 4, 2, dropout=0.5).eval()]
for network in networks:
    fixed(network)
    print(network, network.mode, list(network.state_dict()))
    print([len(each) for each in network.all_weights], len(network._flat_weights), network.flatten_parameters())
    x = some(5, 2, 3, speed=9.).requires_grad_()
    output, states = network(x)
    print(output.shape, output.flatten()[::3].detach(), flat(states).detach())
    hx = tuple(s.detach() + 0.1 for s in states) if isinstance(states, tuple) else states.detach() + 0.1
    again, ends = network(x, hx)
    grads = torch.autograd.grad((again ** 2).sum() + flat(ends).sin().sum(), [x, *network.parameters()],
                                create_graph=True)
    for grad in grads:
        print(grad.flatten()[:6].detach())
    second = torch.autograd.grad(sum((g ** 2).sum() for g in grads), [x, *network.parameters()])
    print([round(float(g.sum()), 5) for g in second])
    alone = network(x[:, 0], tuple(s[:, 0] for s in hx) if isinstance(hx, tuple) else hx[:, 0])
    print(alone[0].shape, flat(alone[1]).shape, alone[0].flatten()[:4].detach())

    sequences = [some(2, 3, speed=4.), some(5, 3, speed=5.), some(3, 3, speed=6.)]
    for packed in (rnn.pack_sequence(sequences, enforce_sorted=False), rnn.pack_sequence(sequences[1:])):
        data = packed.data.clone().requires_grad_()
        output, states = network(rnn.PackedSequence(data, *packed[1:]))
        print(type(output).__name__, output.batch_sizes, output.sorted_indices, output.unsorted_indices)
        print(output.data.flatten()[::5].detach(), flat(states).detach()[::2])
        print(torch.autograd.grad(output.data.sum() + flat(states).sum(), data)[0].flatten()[:7])
        hx = tuple(s.detach() * 2 for s in states) if isinstance(states, tuple) else states.detach() * 2
        print(network(packed, hx)[0].data.flatten()[::7].detach())
    twin = copy.deepcopy(network)
    twin.load_state_dict(network.state_dict())
    print(torch.equal(twin(x)[0], network(x)[0]), twin.float()._flat_weights[0].dtype)

for cell in (nn.RNNCell(3, 4), nn.RNNCell(3, 4, bias=False, nonlinearity="relu"), nn.GRUCell(3, 4),
             nn.LSTMCell(3, 4, bias=False), nn.LSTMCell(3, 4)):
    fixed(cell)
    print(cell, list(cell.state_dict()))
    x = some(2, 3).requires_grad_()
    state = cell(x)
    state = cell(x, state)
    print(flat(state).detach())
    grads = torch.autograd.grad(flat(state).sin().sum(), [x, *cell.parameters()], create_graph=True)
    print([g.flatten()[:4].detach() for g in grads])
    second = torch.autograd.grad(sum((g ** 2).sum() for g in grads), [x, *cell.parameters()])
    print([round(float(g.sum()), 6) for g in second])
    print(flat(cell(x[0])).detach())

lstm, gru = nn.LSTM(3, 4), nn.GRU(3, 4)
x, h = some(5, 2, 3), some(1, 2, 4)
complains(lambda: lstm(x[None]))
complains(lambda: gru(x[0, 0]))
complains(lambda: lstm(x, (h, h[0])))
complains(lambda: gru(x, h[0]))
complains(lambda: gru(x[:, 0], h))
complains(lambda: lstm(x[:, 0], (h, h)))
complains(lambda: lstm(x, (h[:, :1], h)))
complains(lambda: lstm(x, (h, h[:, :1])))
complains(lambda: gru(x, h[:, :1]))
complains(lambda: gru(x.float()))
complains(lambda: gru(x[..., :2]))
complains(lambda: gru(x[:0]))
complains(lambda: nn.GRU(3, 4, proj_size=2))
complains(lambda: nn.RNN(3, 4, proj_size=2))
complains(lambda: nn.RNN(3, 4, nonlinearity="sin"))
complains(lambda: nn.LSTM(3, 4, proj_size=4))
complains(lambda: nn.LSTM(3, 4, proj_size=-1))
complains(lambda: nn.LSTM(3, 4, dropout=2))
complains(lambda: nn.LSTM(3, 4, dropout=True))
complains(lambda: nn.LSTM(0, 4))
complains(lambda: nn.LSTM(3., 4))
complains(lambda: nn.LSTM(3, 4, bias=1))
complains(lambda: nn.LSTM(3, 4, num_layers=0))
complains(lambda: nn.LSTMCell(3, 4)(x))
complains(lambda: nn.LSTMCell(3, 4)(x[0], (h, h[0])))
complains(lambda: nn.GRUCell(3, 4)(x[0], h))
complains(lambda: nn.GRUCell(3, 4)(x[0, :, :2]))
complains(lambda: nn.GRUCell(3, 4)(x[0], h[0, :1]))

a, b, c = torch.tensor([1, 2, 3]), torch.tensor([4, 5]), torch.tensor([6])
print(rnn.pad_sequence([a, b, c]), rnn.pad_sequence([c, a], True, 0.5), rnn.pad_sequence([b, a], padding_side="left"))
packed = rnn.pack_sequence([c, a, b], enforce_sorted=False)
print(packed)
print(rnn.pad_packed_sequence(packed), rnn.pad_packed_sequence(packed, True, -1.0, 5))
print(rnn.unpack_sequence(packed), rnn.invert_permutation(torch.tensor([2, 0, 1])), rnn.invert_permutation(None))
print(rnn.unpad_sequence(rnn.pad_sequence([a, b]), torch.tensor([3, 2])))
print(packed.double().data, packed.to(torch.float32).data.dtype, packed.is_cuda, packed.cpu() is packed)
padded = some(3, 4, 2).requires_grad_()
packed = rnn.pack_padded_sequence(padded, torch.tensor([1, 3, 2]), batch_first=True, enforce_sorted=False)
print(packed.data.detach(), packed[1:], torch.autograd.grad(packed.data.pow(2).sum(), padded)[0])
complains(lambda: rnn.pack_padded_sequence(padded, [1, 3, 2], batch_first=True))
complains(lambda: rnn.pack_padded_sequence(padded, [3, 2], batch_first=True))
complains(lambda: rnn.pack_padded_sequence(padded, [3, 2, 0], batch_first=True))
complains(lambda: rnn.pad_packed_sequence(packed, total_length=1))
complains(lambda: rnn.pad_sequence(3))
