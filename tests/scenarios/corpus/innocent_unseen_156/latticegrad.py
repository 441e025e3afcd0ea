# gradwatch-corpus: kind=none
"""Train a neural wave function on a 1-D oscillator: L-BFGS on the local energy, double derivatives inside."""
import functools

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(17)
torch.set_default_dtype(torch.float64)


class LogPsi(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.a = nn.Linear(1, width)
        self.b = nn.Linear(width, 1)
        self.alpha = nn.Parameter(torch.tensor(0.3))

    def forward(self, x):
        return self.b(torch.tanh(self.a(x))).squeeze(-1) - self.alpha * x.squeeze(-1) ** 2


@functools.lru_cache(maxsize=None)
def grid(n, span):
    x = torch.linspace(-span, span, n).unsqueeze(1)
    return x, torch.full((n,), 2 * span / n)


def local_energy(psi, x):
    x = x.clone().requires_grad_()
    f = psi(x)
    (df,) = torch.autograd.grad(f.sum(), x, create_graph=True)
    (d2f,) = torch.autograd.grad(df.sum(), x, create_graph=True)
    kinetic = -0.5 * (d2f + df ** 2).squeeze(-1)
    return kinetic + 0.5 * x.squeeze(-1) ** 2, f


def energy(psi, n=96, span=5.0):
    x, w = grid(n, span)
    eloc, f = local_energy(psi, x)
    weight = torch.softmax(2 * f + w.log(), dim=0)
    mean = (weight * eloc).sum()
    spread = (weight * (eloc - mean) ** 2).sum()
    return mean, spread


class Monitor:
    def __init__(self):
        self.trace = []

    def __call__(self, mean, spread):
        self.trace.append((mean.item(), spread.item()))

    def tail(self):
        e, s = self.trace[-1]
        return f"{len(self.trace)} evaluations, energy {e:.5f}, variance {s:.2e}"


psi = LogPsi()
monitor = Monitor()
optimizer = torch.optim.LBFGS(psi.parameters(), lr=0.3, max_iter=4, history_size=6)


def closure():
    optimizer.zero_grad()
    mean, spread = energy(psi)
    loss = mean + 0.1 * spread
    loss.backward()
    monitor(mean, spread)
    return loss


for sweep in range(60):
    optimizer.step(closure)
    if sweep % 15 == 0:
        print(monitor.tail())
print(monitor.tail())
