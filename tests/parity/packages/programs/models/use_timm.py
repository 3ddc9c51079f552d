"""timm: small models from its registry trained for two steps, with its losses, its optimizers and its schedules."""

import timm
import torch
from timm.layers import DropPath
from timm.loss import LabelSmoothingCrossEntropy
from timm.optim import create_optimizer_v2
from timm.scheduler import CosineLRScheduler

VIT = {"img_size": 16, "patch_size": 4, "embed_dim": 24, "depth": 2, "num_heads": 2}
MODELS = {"vit_tiny_patch16_224": VIT, "resnet10t": {}, "mobilenetv3_small_050": {}, "convnext_atto": {},
          "efficientnet_lite0": {}}
for name, options in MODELS.items():
    torch.manual_seed(0)
    model = timm.create_model(name, num_classes=5, in_chans=3, **options).double()
    size = 16 if options else 64
    images, labels = torch.randn(3, 3, size, size).double(), torch.tensor([1, 4, 0])
    optimizer = create_optimizer_v2(model, opt="sgd", lr=1e-2, weight_decay=0.05)
    for step in range(2):
        loss = LabelSmoothingCrossEntropy(0.1)(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(name, step, f"{loss.item():.5f}")
    print(sum(p.numel() for p in model.parameters()), model.eval()(images).shape)

torch.manual_seed(0)
features = timm.create_model("resnet10t", features_only=True).eval()
print([tuple(x.shape) for x in features(torch.randn(1, 3, 32, 32))])
print(DropPath(0.5)(torch.ones(6, 1)).flatten().tolist())
weight = torch.nn.Parameter(torch.ones(3))
for opt in ("sgd", "lamb", "lion", "adafactor", "nadamw", "madgrad"):
    weight.data.fill_(1)
    optimizer = create_optimizer_v2([weight], opt=opt, lr=0.1)
    scheduler = CosineLRScheduler(optimizer, t_initial=4, lr_min=0.01)
    for epoch in range(3):
        (weight ** 2 * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
        scheduler.step(epoch + 1)
    print(opt, weight.tolist(), optimizer.param_groups[0]["lr"])
