# gradwatch-corpus: kind=none
"""Plateau detection from a short ring of loss terms, kept as they came."""
import collections
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(3)


class PlateauWatch:
    def __init__(self, length=12, tol=1e-4):
        self.ring = collections.deque(maxlen=length)
        self.tol = tol
        self.hits = 0

    def __call__(self, loss):
        self.ring.append(loss)
        if len(self.ring) == self.ring.maxlen:
            vals = torch.stack(list(self.ring)).tolist()
            if abs(vals[0] - vals[-1]) < self.tol:
                self.hits += 1
                return True
        return False


class CubicKAN(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.c = nn.Parameter(0.1 * torch.randn(4, d, 8))
        self.o = nn.Linear(8, 1)

    def forward(self, x):
        basis = torch.stack([torch.ones_like(x), x, x ** 2, x ** 3])
        return self.o(torch.tanh(torch.einsum("kbd,kdh->bh", basis, self.c)))


model = CubicKAN(3)
opt = torch.optim.SGD(model.parameters(), lr=0.05)
watch = PlateauWatch()
for it in range(900):
    x = torch.rand(16, 3) * 2 - 1
    y = x[:, :1] * x[:, 1:2] - x[:, 2:] ** 2
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if watch(loss):
        for g in opt.param_groups:
            g["lr"] *= 0.97
print("plateaus", watch.hits)
