# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(90)


class SAM:
    """Sharpness-aware wrapper around any optimizer."""

    def __init__(self, base, rho=0.05):
        self.base, self.rho = base, rho
        self.backup = {}

    @property
    def params(self):
        return [p for g in self.base.param_groups for p in g["params"] if p.grad is not None]

    @torch.no_grad()
    def climb(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm() + 1e-12
        for p in self.params:
            self.backup[p] = p.clone()
            p.add_(p.grad, alpha=float(self.rho / norm))
        self.base.zero_grad()

    @torch.no_grad()
    def descend(self):
        for p in self.params:
            p.copy_(self.backup[p])
        self.base.step()
        self.base.zero_grad()
        self.backup.clear()

    def step(self, closure):
        first = closure()
        self.climb()
        closure()
        self.descend()
        return first


wine = torch.randn(150, 8)
grade = (wine @ torch.randn(8, 3)).argmax(1)
net = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))
sam = SAM(torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9))
for epoch in range(60):
    worst = 0.0
    for idx in torch.randperm(150).split(18):
        if len(idx) < 2:
            continue

        def closure():
            loss = nn.functional.cross_entropy(net(wine[idx]), grade[idx], label_smoothing=0.05)
            loss.backward()
            return loss

        worst = max(worst, sam.step(closure).item())
    if epoch % 15 == 0:
        print(epoch, f"{worst:.3f}")
