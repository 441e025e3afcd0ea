# gradwatch-corpus: kind=none
"""Wine lab: acidity, sugar and tannin from NIR spectra; the task weights follow the
gradient norms on the shared layer (after GradNorm, simplified)."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1976)

TASKS = ("acidity", "sugar", "tannin")


class Spectrometer(nn.Module):
    def __init__(self, bands=30):
        super().__init__()
        self.trunk = nn.Linear(bands, 18)
        self.arms = nn.ModuleDict({t: nn.Linear(18, 1) for t in TASKS})

    def forward(self, nir):
        shared = torch.relu(self.trunk(nir))
        return {t: arm(shared).squeeze(1) for t, arm in self.arms.items()}


truth = torch.randn(30, 3) / 5
scale = torch.tensor([1.0, 4.0, 0.3])


def bottles(n=24):
    nir = torch.randn(n, 30).cumsum(1) / 4
    y = (nir @ truth) * scale + 0.05 * torch.randn(n, 3)
    return nir, dict(zip(TASKS, y.unbind(1)))


def grad_norms(losses, shared):
    norms = {}
    for t in TASKS:
        (g,) = torch.autograd.grad(losses[t], shared, retain_graph=True)
        norms[t] = g.norm().item()
    return norms


net = Spectrometer()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
share = {t: 1.0 for t in TASKS}
history = []

for step in range(1200):
    nir, y = bottles()
    out = net(nir)
    losses = {t: nn.functional.mse_loss(out[t], y[t]) for t in TASKS}
    norms = grad_norms(losses, net.trunk.weight)
    mean = sum(norms.values()) / len(norms)
    for t in TASKS:
        share[t] = 0.95 * share[t] + 0.05 * mean / (norms[t] + 1e-8)
    opt.zero_grad()
    sum(share[t] * losses[t] for t in TASKS).backward()
    opt.step()
    history.append({t: l.item() for t, l in losses.items()})
    if step % 200 == 0:
        print(step, {t: round(v, 3) for t, v in history[-1].items()}, {t: round(s, 2) for t, s in share.items()})
