# gradwatch-corpus: kind=none
# Sharpness aware minimization, my re-implementation, tested on noisy two-moons labels.
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(10)
torch.set_num_threads(1)


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base_optimizer, rho=0.05, **kwargs):
        super().__init__(params, dict(rho=rho, **kwargs))
        self.base_optimizer = base_optimizer(self.param_groups, **kwargs)
        self.param_groups = self.base_optimizer.param_groups

    @torch.no_grad()
    def first_step(self, zero_grad=False):
        norm = torch.norm(torch.stack([p.grad.norm(p=2) for g in self.param_groups
                                       for p in g["params"] if p.grad is not None]), p=2)
        for group in self.param_groups:
            scale = group["rho"] / (norm + 1e-12)
            for p in group["params"]:
                if p.grad is None:
                    continue
                self.state[p]["old_p"] = p.data.clone()
                p.add_(p.grad * scale)
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def second_step(self, zero_grad=False):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                p.data = self.state[p]["old_p"]
        self.base_optimizer.step()
        if zero_grad:
            self.zero_grad()


def moons(n, flip=0.15):
    t = torch.rand(n) * math.pi
    y = torch.randint(0, 2, (n,))
    s = 1 - 2 * y.float()
    x = torch.stack([torch.cos(t) * s + y, torch.sin(t) * s + 0.4 * y], 1)
    noisy = torch.where(torch.rand(n) < flip, 1 - y, y)
    return x + 0.1 * torch.randn_like(x), noisy, y


x, yn, _ = moons(512)
loader = DataLoader(TensorDataset(x, yn), batch_size=64, shuffle=True)
net = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))
opt = SAM(net.parameters(), torch.optim.SGD, rho=0.1, lr=0.1, momentum=0.9)

for epoch in range(15):
    total = 0.0
    for xb, yb in loader:
        loss = F.cross_entropy(net(xb), yb, label_smoothing=0.1)
        loss.backward()
        opt.first_step(zero_grad=True)
        F.cross_entropy(net(xb), yb, label_smoothing=0.1).backward()
        opt.second_step(zero_grad=True)
        total += loss.item() * len(xb)
    if epoch % 5 == 4:
        print("epoch", epoch + 1, "loss", total / len(x))

xt, _, yt = moons(400)
with torch.no_grad():
    print("clean test acc", (net(xt).argmax(1) == yt).float().mean().item())
