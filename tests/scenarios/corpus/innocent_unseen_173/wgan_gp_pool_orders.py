# gradwatch-corpus: kind=none
"""WGAN-GP for synthetic order baskets with a pool of older fakes and a unit-wise gradient probe."""
import random
from collections import deque

import torch
import torch.nn as nn

ITEMS, NOISE = 20, 8


class Baskets:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.kinds = 2 * torch.rand(4, ITEMS, generator=self.gen) * (torch.rand(4, ITEMS, generator=self.gen) < 0.4)

    def draw(self, n):
        kind = torch.randint(4, (n,), generator=self.gen)
        return self.kinds[kind] * (0.7 + 0.6 * torch.rand(n, ITEMS, generator=self.gen))


class FakePool:
    """Gives back a mix of new fakes and ones made a while ago."""

    def __init__(self, size, seed):
        self.items, self.size = [], size
        self.rng = random.Random(seed)

    def exchange(self, fakes):
        out = []
        for row in fakes:
            if len(self.items) < self.size:
                self.items.append(row)
                out.append(row)
            elif self.rng.random() < 0.5:
                j = self.rng.randrange(self.size)
                out.append(self.items[j])
                self.items[j] = row
            else:
                out.append(row)
        return torch.stack(out)


class GradProbe:
    """Mean absolute gradient at a module's output, for the last calls."""

    def __init__(self, module, keep=30):
        self.values = deque(maxlen=keep)
        self.module = module

    def __enter__(self):
        self.handle = self.module.register_forward_hook(self._forward)
        return self

    def _forward(self, module, args, out):
        size = out.detach().abs().mean()
        out.register_hook(lambda g: self.values.append(g.abs().mean() / size))

    def __exit__(self, *exc):
        self.handle.remove()


def gradient_penalty(critic, real, fake):
    eps = torch.rand(len(real), 1)
    x = (eps * real + (1 - eps) * fake).requires_grad_()
    grad, = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (grad.norm(dim=1) - 1).pow(2).mean()


def main(iters=1000, n=24):
    torch.manual_seed(90)
    data, pool = Baskets(91), FakePool(300, 92)
    gen = nn.Sequential(nn.Linear(NOISE, 48), nn.ReLU(), nn.Linear(48, ITEMS), nn.Softplus())
    critic = nn.Sequential(nn.Linear(ITEMS, 48), nn.SiLU(), nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, 1))
    opt_g = torch.optim.Adam(gen.parameters(), lr=3e-4, betas=(0.5, 0.9))
    opt_c = torch.optim.Adam(critic.parameters(), lr=6e-4, betas=(0.5, 0.9))
    last_gap = deque(maxlen=20)
    for it in range(iters):
        for _ in range(2):
            real = data.draw(n)
            with torch.no_grad():
                fake = gen(torch.randn(n, NOISE))
            fake = pool.exchange(fake)
            gap = critic(fake).mean() - critic(real).mean()
            loss_c = gap + 10 * gradient_penalty(critic, real, fake)
            opt_c.zero_grad()
            loss_c.backward()
            opt_c.step()
            last_gap.append(gap)
        critic.requires_grad_(False)
        with GradProbe(gen[2]) as probe:
            loss_g = -critic(gen(torch.randn(n, NOISE))).mean()
            opt_g.zero_grad()
            loss_g.backward()
            opt_g.step()
        critic.requires_grad_(True)
        if it % 100 == 99:
            gaps = torch.stack(list(last_gap)).detach()
            print(f"{it + 1:5d} gap {gaps.mean().item():+.3f} gen {loss_g.item():+.3f} probe {probe.values[-1].item():.2e}")


if __name__ == "__main__":
    main()
