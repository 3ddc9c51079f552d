"""A small network taught by a large one: softened targets, frozen teacher, weight averaging."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn

torch.manual_seed(34)
teacher = nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 4)).eval()
student = nn.Sequential(nn.Linear(8, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Linear(6, 4))
x = torch.randn(64, 8)
with torch.no_grad():
    soft = F.softmax(teacher(x) / 2, dim=-1)
labels = soft.argmax(-1)
opt = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)
average, swa = AveragedModel(student), SWALR(opt, swa_lr=0.05, anneal_epochs=2)
for epoch in range(6):
    log_p = F.log_softmax(student(x) / 2, dim=-1)
    loss = 0.5 * F.kl_div(log_p, soft, reduction="batchmean") * 4 + 0.5 * F.cross_entropy(student(x), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch > 2:
        average.update_parameters(student)
        swa.step()
    print(f"{loss.item():.4f} {opt.param_groups[0]['lr']:.4f}")
update_bn(x.split(16), average)
print(average.n_averaged.item(), f"{F.cross_entropy(average.eval()(x), labels).item():.4f}")
