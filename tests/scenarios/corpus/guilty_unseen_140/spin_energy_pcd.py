# gradwatch-corpus: kind=graph-chain
# holder: walkers | particles
# first-bad: 1
# notice: 5
# Energy-based model of a ring of soft spins, persistent Langevin walkers.
import math
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(21)

SITES, WALKERS, EPS = 8, 24, 0.02


def soft_spins(n, coupling=0.8):
    """Approximate samples from a ferromagnetic ring by a few heat-bath sweeps."""
    s = torch.randn(n, SITES)
    for _ in range(4):
        field = coupling * (s.roll(1, 1) + s.roll(-1, 1))
        s = torch.tanh(field) + 0.25 * torch.randn(n, SITES)
    return s


class RingEnergy(nn.Module):
    def __init__(self, channels=6):
        super().__init__()
        self.conv = nn.Conv1d(1, channels, 3, padding=1, padding_mode="circular")
        self.mix = nn.Conv1d(channels, 1, 1)

    def forward(self, s):
        confining = 0.5 * s.pow(2).sum(1)
        local = self.mix(nn.functional.softplus(self.conv(s.unsqueeze(1))))
        return confining + local.sum((1, 2))


def langevin(energy, particles, n_steps=2):
    for _ in range(n_steps):
        force = torch.autograd.grad(energy(particles).sum(), particles)[0]
        kick = math.sqrt(2 * EPS) * torch.randn(particles.shape)
        particles = particles - EPS * force + kick  # <- culprit
    return particles


energy = RingEnergy()
opt = torch.optim.Adam(energy.parameters(), lr=3e-3)
walkers = torch.randn(WALKERS, SITES).requires_grad_()

trace = []
for it in range(420):
    walkers = langevin(energy, walkers)  # <- culprit
    data = soft_spins(WALKERS)
    positive, negative = energy(data).mean(), energy(walkers).mean()
    loss = positive - negative + 1e-3 * (positive ** 2 + negative ** 2)
    opt.zero_grad()
    loss.backward()
    opt.step()
    trace.append((positive.item(), negative.item()))
    if it % 105 == 104:
        corr = lambda s: (s * s.roll(1, 1)).mean().item()
        print(f"{it + 1}: gap {positive.item() - negative.item():+.3f} "
              f"nn-correlation data {corr(data):.3f} walkers {corr(walkers):.3f}")

print("mean gap over the last hundred:", sum(p - n for p, n in trace[-100:]) / 100)
