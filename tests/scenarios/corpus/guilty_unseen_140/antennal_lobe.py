# gradwatch-corpus: kind=inplace-modified
# holder: v | potential
# first-bad: 0
# notice: 0
"""Odour identification by integrate-and-fire projection neurons with hard reset."""
from functools import partial
import torch

torch.set_num_threads(1)
torch.manual_seed(14)

RECEPTORS, PROJECTION, ODOURS, BINS = 10, 18, 4, 8
V_REST, V_TH = 0.0, 0.7
odour_map = torch.rand(ODOURS, RECEPTORS).round() * 0.9 + 0.05


class Threshold(torch.autograd.Function):
    """Heaviside forward, Gaussian bump backward."""

    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward(v)
        return (v > V_TH).float()

    @staticmethod
    def backward(ctx, grad):
        (v,) = ctx.saved_tensors
        return grad * torch.exp(-4 * (v - V_TH) ** 2)


fire = Threshold.apply


def integrate(weights, lateral, v, s, drive, leak=0.88):
    potential = leak * v + drive @ weights - s @ lateral
    spikes = fire(potential)
    with torch.no_grad():
        potential[spikes > 0] = V_REST  # <- culprit
    return potential, spikes


def presentation(params, sniff):
    step = partial(integrate, params["w"], params["lat"].abs())
    v = torch.zeros(sniff.shape[1], PROJECTION)
    s = torch.zeros_like(v)
    total = torch.zeros_like(v)
    for drive in sniff:
        v, s = step(v, s, drive)
        total = total + s
    return total / BINS


def sniffs(n):
    label = torch.randint(ODOURS, (n,))
    envelope = torch.sin(torch.linspace(0.3, 2.8, BINS)).view(BINS, 1, 1)
    return envelope * odour_map[label] + 0.05 * torch.randn(BINS, n, RECEPTORS), label


params = {
    "w": 0.4 * torch.randn(RECEPTORS, PROJECTION) + 0.1,
    "lat": 0.02 * torch.randn(PROJECTION, PROJECTION),
    "kenyon": 0.3 * torch.randn(PROJECTION, ODOURS),
}
params = {k: p.requires_grad_() for k, p in params.items()}
opt = torch.optim.Adamax(params.values(), lr=5e-3)

for trial in range(400):
    sniff, odour = sniffs(16)
    rates = presentation(params, sniff)
    loss = torch.nn.functional.cross_entropy(rates @ params["kenyon"] * 4, odour) + 0.05 * rates.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if trial % 100 == 0:
        print(trial, loss.item(), rates.mean().item())
