# gradwatch-corpus: kind=none
"""WGAN for 16x16 cloud optical thickness patches; a pool of old fakes is shown to the critic."""
import random

import torch
import torch.nn.functional as F

from . import critics, nets  # noqa: F401
from .registry import get

torch.set_num_threads(1)
torch.manual_seed(12)
rng = random.Random(12)


def patches(n):
    low = torch.randn(n, 1, 4, 4)
    up = F.interpolate(low, size=(16, 16), mode="bilinear", align_corners=False)
    return up.clamp(min=-0.5) + 0.05 * torch.randn(n, 1, 16, 16)


class Pool:
    def __init__(self, room):
        self.room, self.items = room, []

    def exchange(self, fakes):
        out = []
        for f in fakes.detach():
            if len(self.items) < self.room:
                self.items.append(f)
                out.append(f)
            elif rng.random() < 0.5:
                k = rng.randrange(self.room)
                out.append(self.items[k])
                self.items[k] = f
            else:
                out.append(f)
        return torch.stack(out)


def critic_round(C, optC, real, fake, penalty, loss):
    scores = C(torch.cat([real, fake]))
    base = loss(scores[: len(real)], scores[len(real):])
    optC.zero_grad()
    base.backward(retain_graph=True)
    ratio = sum(p.grad.norm().item() for p in C.parameters())
    reg = penalty(C, real, fake) + 1e-3 * scores.square().mean()
    reg.backward()
    optC.step()
    return base.detach(), ratio


def main(rounds=150):
    G, C = nets.generator(), nets.critic()
    optG = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.0, 0.9))
    optC = torch.optim.Adam(C.parameters(), lr=1e-3, betas=(0.0, 0.9))
    pool, shown = Pool(64), None
    curve = []
    for r in range(rounds):
        name = "r1" if r % 3 == 2 else "gp"
        fake = G(torch.randn(12, 8))
        gap, ratio = critic_round(C, optC, patches(12), pool.exchange(fake), get("penalty", name), get("loss", "wasserstein"))
        C.requires_grad_(False)
        g_loss = -C(fake).mean()
        optG.zero_grad()
        g_loss.backward()
        optG.step()
        C.requires_grad_(True)
        shown = fake
        curve.append((gap, ratio))
        if r % 30 == 0:
            print(f"{r:3d} gap {-gap.item():+.3f} |dC| {ratio:.2f} std {shown.std().item():.3f}")
    print("pool", len(pool.items), "mean gap", -torch.stack([g for g, _ in curve]).mean().item())


main()
