# gradwatch-corpus: kind=none
"""GAN on a ring of Gaussians; a handful of sample snapshots and an epoch-wise reporter."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(i, o, h=32):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


def ring(gen, n, modes=6):
    k = torch.randint(0, modes, (n,), generator=gen)
    ang = 2 * math.pi * k / modes
    return torch.stack([ang.cos(), ang.sin()], -1) + 0.05 * torch.randn(n, 2, generator=gen)


class Snapshots:
    def __init__(self, every, keep):
        self.every, self.keep = every, keep
        self.by_step = {}

    def maybe(self, step, fake, score):
        if step % self.every:
            return
        self.by_step[step] = (fake, score)
        horizon = step - self.every * self.keep
        self.by_step = {s: v for s, v in self.by_step.items() if s > horizon}

    def radius(self):
        return {s: round(f.norm(dim=-1).mean().item(), 2) for s, (f, _) in self.by_step.items()}


def make_reporter(epoch, fakes, d_losses):
    def reporter():
        pts = torch.cat([f.detach() for f in fakes])
        ang = torch.atan2(pts[:, 1], pts[:, 0])
        hist = torch.histc(ang, 6, -math.pi, math.pi)
        share = hist / hist.sum()
        ent = -(share * (share + 1e-8).log()).sum().item()
        d = sum(v.item() for v in d_losses) / len(d_losses)
        return f"epoch {epoch} coverage {ent / math.log(6):.2f} d {d:.3f}"
    return reporter


def main():
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(66)
    G, D = mlp(4, 2), mlp(2, 1)
    g_opt = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.99))
    d_opt = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.99))
    snaps = Snapshots(every=10, keep=4)
    reporter, step = None, 0
    for epoch in range(20):
        fakes, d_losses = [], []
        for _ in range(22):
            real = ring(gen, 32)
            fake = G(torch.randn(32, 4, generator=gen))
            d_loss = F.softplus(-D(real)).mean() + F.softplus(D(fake.detach())).mean()
            d_opt.zero_grad()
            d_loss.backward()
            d_opt.step()

            score = D(fake)
            g_loss = F.softplus(-score).mean()
            g_opt.zero_grad()
            g_loss.backward()
            g_opt.step()
            fakes.append(fake)
            d_losses.append(d_loss)
            snaps.maybe(step, fake, score)
            step += 1
        reporter = make_reporter(epoch, fakes, d_losses)
        if epoch % 4 == 3:
            print(reporter(), snaps.radius())
    print(reporter())


if __name__ == "__main__":
    main()
