# gradwatch-corpus: kind=inplace-modified
# holder: net.readout.weight | self.net.readout.weight | readout.weight | w | net[2].weight | lin.weight
# first-bad: 22
# notice: 0
# %% [markdown]
# A toy retina: a sparse code of natural-ish image patches. Biology says that a neuron has a
# synaptic budget, so no row of the readout may have a norm above BUDGET.

# %%
import contextlib

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(5)

BUDGET = 1.1
PATCH = 5


# %%
def patches(n):
    """Oriented gratings under an aperture + pink-ish noise."""
    c = torch.linspace(-1, 1, PATCH)
    yy, xx = torch.meshgrid(c, c, indexing="ij")
    th = torch.rand(n, 1, 1) * 3.1416
    f = 1.5 + 2 * torch.rand(n, 1, 1)
    ph = torch.rand(n, 1, 1) * 6.28
    g = torch.cos(f * (xx * torch.cos(th) + yy * torch.sin(th)) * 2 + ph)
    g = g * torch.exp(-(xx ** 2 + yy ** 2))
    noise = torch.randn(n, PATCH, PATCH).cumsum(1) * 0.05
    return (g + noise).reshape(n, -1)


class Retina(nn.Module):
    def __init__(self, n_cells=14):
        super().__init__()
        self.encode = nn.Linear(PATCH * PATCH, n_cells)
        self.readout = nn.Linear(n_cells, PATCH * PATCH, bias=False)

    def forward(self, x):
        rate = F.softplus(self.encode(x))
        return self.readout(rate), rate


# %%
class Budget:
    """How often did it bite?"""
    hits = 0
    looks = 0


@contextlib.contextmanager
def synaptic_budget(lin, limit):
    """Anything that happens inside leaves with its rows within the budget."""
    yield lin
    Budget.looks += 1
    with torch.no_grad():
        w = lin.weight
        norms = w.norm(dim=1, keepdim=True)
        if (norms > limit).any():
            Budget.hits += 1
            w.mul_((limit / norms).clamp(max=1.0))  # <- culprit


net = Retina()
opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9, nesterov=True)
log = []

# %%
for t in range(400):
    x = patches(24)
    with synaptic_budget(net.readout, BUDGET):  # <- culprit
        recon, rate = net(x)
        error = F.mse_loss(recon, x, reduction="none").sum(1).mean()
        energy = 0.02 * rate.abs().mean()
        loss = error + energy
    opt.zero_grad()
    loss.backward()  # <- culprit
    opt.step()
    log.append((loss.item(), rate.mean().item()))
    if t % 5 == 0:
        print(t, "loss %.4f  mean rate %.3f" % log[-1], "max row",
              round(net.readout.weight.norm(dim=1).max().item(), 3))

# %%
print("budget enforced", Budget.hits, "times in", Budget.looks)
