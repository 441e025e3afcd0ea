# gradwatch-corpus: kind=none
"""Smugglers against coast guards on a ring of coves.

Both sides read the weather through a shared encoder. The smugglers choose a landing
distribution, the guards a patrol distribution; each trains against the other's last
move. The encoder learns from both objectives plus its own weather forecast.
"""
from contextlib import contextmanager

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)

COVES = 9
WEATHER = 5


def ring_blur(p):
    return 0.6 * p + 0.2 * p.roll(1, -1) + 0.2 * p.roll(-1, -1)


class Side(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 16), nn.ELU(), nn.Linear(16, COVES))

    def forward(self, z, memory):
        return F.softmax(self.net(torch.cat([z, memory], -1)), dim=-1)


@contextmanager
def frozen(module):
    flags = [p.requires_grad for p in module.parameters()]
    for p in module.parameters():
        p.requires_grad_(False)
    try:
        yield
    finally:
        for p, flag in zip(module.parameters(), flags):
            p.requires_grad_(flag)


class Coast:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.w = torch.zeros(16, WEATHER)
        self.value = torch.rand(WEATHER, COVES, generator=self.g)

    def tick(self):
        noise = torch.randn(self.w.shape, generator=self.g)
        before = self.w
        self.w = 0.9 * self.w + 0.3 * noise
        return before, torch.sigmoid(before @ self.value), self.w


def main():
    torch.manual_seed(1720)
    coast = Coast(1721)
    encoder = nn.Sequential(nn.Linear(WEATHER, 10), nn.Tanh())
    forecast = nn.Linear(10, WEATHER)
    smugglers, guards = Side(10 + COVES), Side(10 + COVES)
    opt = torch.optim.Adam(
        [{"params": smugglers.parameters()},
         {"params": guards.parameters()},
         {"params": [*encoder.parameters(), *forecast.parameters()], "lr": 1e-3}],
        lr=3e-3,
    )

    # what each side remembers of the other
    patrol_memory = torch.full((16, COVES), 1 / COVES)
    landing_memory = torch.full((16, COVES), 1 / COVES)
    history = []

    for night in range(400):
        weather, value, tomorrow = coast.tick()
        z = encoder(weather)
        landing = smugglers(z, patrol_memory)
        patrol = guards(z, landing_memory)

        opt.zero_grad()
        # three objectives over one encoding
        gain = (landing * value * (1 - ring_blur(patrol.detach()))).sum(-1).mean()
        (-gain).backward(retain_graph=True)
        caught = (landing.detach() * ring_blur(patrol)).sum(-1).mean()
        spread = (patrol * patrol.clamp_min(1e-6).log()).sum(-1).mean()
        (0.1 * spread - caught).backward(retain_graph=True)
        F.mse_loss(forecast(z), tomorrow).backward()
        opt.step()

        patrol_memory = 0.8 * patrol_memory + 0.2 * patrol.detach()
        landing_memory = 0.8 * landing_memory + 0.2 * landing.detach()
        history.append((gain.detach(), caught.detach()))

        if night % 40 == 0:
            # how would the guards do if the smugglers knew their move
            with frozen(guards):
                z2 = encoder(weather).detach().requires_grad_(True)
                peek = smugglers(z2, guards(z2, landing_memory))
                slope, = torch.autograd.grad((peek * value).sum(), z2)
            g, c = history[-1]
            print(f"night {night:3d}  gain {g:.3f}  caught {c:.3f}  sensitivity {slope.norm():.3f}")

    gains = torch.stack([g for g, _ in history[-100:]])
    print(f"gain over the last 100 nights {gains.mean():.3f} +- {gains.std():.3f}")


if __name__ == "__main__":
    main()
