# gradwatch-corpus: kind=none
"""Deep Koopman model of the Van der Pol oscillator with delay coordinates.

A sliding window of latent codes is kept for a spectral consistency term; it is
emptied after each update.
"""
import collections

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def van_der_pol(x, mu=1.5):
    return torch.stack([x[..., 1], mu * (1 - x[..., 0] ** 2) * x[..., 1] - x[..., 0]], dim=-1)


def orbits(batch, n, dt=0.05):
    x = (1.2 * torch.randn(batch, 2)).clamp(-2.5, 2.5)
    path = []
    for _ in range(n):
        k = van_der_pol(x)
        x = x + dt * van_der_pol(x + 0.5 * dt * k)
        path.append(x)
    return torch.stack(path, dim=1)


class Koopman(nn.Module):
    def __init__(self, delay=3, latent=8, width=48):
        super().__init__()
        self.delay = delay
        self.enc = nn.Sequential(nn.Linear(2 * delay, width), nn.SiLU(), nn.Linear(width, latent))
        self.dec = nn.Sequential(nn.Linear(latent, width), nn.SiLU(), nn.Linear(width, 2))
        self.log_decay = nn.Parameter(torch.full((latent // 2,), -3.0))
        self.freq = nn.Parameter(torch.linspace(0.02, 0.3, latent // 2))

    def embed(self, path):
        cols = path.unfold(1, self.delay, 1)
        return checkpoint(self.enc, cols.flatten(2), use_reentrant=False)

    def advance(self, z):
        a, b = z.chunk(2, dim=-1)
        r = torch.exp(-torch.exp(self.log_decay))
        c = torch.cos(self.freq)
        s = torch.sin(self.freq)
        return torch.cat([r * (c * a - s * b), r * (s * a + c * b)], dim=-1)


class ActivityMeter:
    def __init__(self):
        self.by_layer = {}

    def __call__(self, module, inputs, output):
        self.by_layer[id(module)] = output.detach().abs().mean().item()

    def mean(self):
        return sum(self.by_layer.values()) / max(len(self.by_layer), 1)


def terms(model, path, queue):
    z = model.embed(path)
    queue.append(z[:, 0])
    recon = ((model.dec(z) - path[:, model.delay - 1:]) ** 2).mean()
    roll = z[:, 0]
    ahead = 0.0
    for k in range(1, z.shape[1]):
        roll = model.advance(roll)
        ahead = ahead + ((roll - z[:, k]) ** 2).mean()
    return recon, ahead / (z.shape[1] - 1)


def decorrelation(queue):
    z = torch.cat(list(queue))
    z = z - z.mean(0)
    cov = z.T @ z / len(z)
    return ((cov - torch.eye(cov.shape[0])) ** 2).mean()


def main():
    torch.manual_seed(1927)
    model = Koopman()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    queue = collections.deque(maxlen=8)
    for it in range(90):
        meter = ActivityMeter()
        handles = []
        if it % 15 == 0:
            handles = [m.register_forward_hook(meter) for m in model.dec if isinstance(m, nn.SiLU)]
        total = 0.0
        for _ in range(3):
            recon, ahead = terms(model, orbits(16, 12), queue)
            total = total + recon + 0.3 * ahead
        loss = total / 3 + 0.1 * decorrelation(queue)
        opt.zero_grad()
        loss.backward()
        opt.step()
        queue.clear()
        for h in handles:
            h.remove()
        if it % 15 == 0:
            freqs = model.freq.detach().numpy().round(3)
            print(f"{it:3d} loss {loss.item():.4f} activity {meter.mean():.3f} freq {freqs}")


if __name__ == "__main__":
    main()
