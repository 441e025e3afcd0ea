# gradwatch-corpus: kind=none
"""Batch effect removal between two flow cytometers: transport map against a Wasserstein critic
with gradient penalty."""
import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F

MARKERS = 5


def instrument_a(gen):
    centres = torch.randn(4, MARKERS, generator=gen) * 2
    while True:
        which = torch.randint(0, 4, (64,), generator=gen)
        yield centres[which] + 0.3 * torch.randn(64, MARKERS, generator=gen)


def instrument_b(gen, stream):
    tilt = torch.eye(MARKERS) + 0.2 * torch.randn(MARKERS, MARKERS, generator=gen)
    for x in stream:
        yield x @ tilt + 0.7


class ResidualMap(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = nn.Sequential(nn.Linear(MARKERS, 32), nn.SiLU(), nn.Linear(32, MARKERS))
        nn.init.zeros_(self.shift[-1].weight)

    def forward(self, x):
        return x + self.shift(x)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(MARKERS, 48)
        self.b = nn.Linear(48, 1)

    def forward(self, x):
        return self.b(F.softplus(self.a(x)))


def slope_penalty(critic, real, fake):
    w = torch.rand(real.shape[0], 1)
    mid = (w * real + (1 - w) * fake).requires_grad_()
    (slope,) = torch.autograd.grad(critic(mid).sum(), mid, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()


def critic_round(critic, opt, real, fake):
    gap = critic(fake).mean() - critic(real).mean()
    loss = gap + 5.0 * slope_penalty(critic, real, fake)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return -gap.item()


def map_round(mapper, critic, opt, src):
    moved = mapper(src)
    critic.requires_grad_(False)
    loss = -critic(moved).mean() + 0.05 * (moved - src).square().sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    critic.requires_grad_(True)
    return loss.item()


def main():
    torch.manual_seed(64)
    gen = torch.Generator().manual_seed(64)
    target, base = itertools.tee(instrument_a(gen))
    source = instrument_b(gen, base)
    mapper = ResidualMap()
    critic = Critic()
    opt_m = torch.optim.Adam(mapper.parameters(), lr=2e-3, betas=(0.5, 0.9))
    opt_c = torch.optim.Adam(critic.parameters(), lr=4e-3, betas=(0.5, 0.9))
    for it, (real, src) in enumerate(zip(itertools.islice(target, 200), source)):
        with torch.no_grad():
            fake = mapper(src)
        w1 = critic_round(critic, opt_c, real, fake)
        if it % 3 == 2:
            cost = map_round(mapper, critic, opt_m, src)
        if it % 40 == 39:
            print(f"it {it + 1:3d} estimate of W1 {w1:.4f} map cost {cost:.4f}")


if __name__ == "__main__":
    main()
