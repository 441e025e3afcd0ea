# gradwatch-corpus: kind=graph-held
# holder: self.smooth | tracker.smooth | tracker.smooth['gp']
# first-bad: 1
"""WGAN-GP on eight Gaussians in a ring (Gulrajani et al., 2017)."""
import math
from types import SimpleNamespace

import torch
import torch.nn as nn

hp = SimpleNamespace(z_dim=8, width=64, batch=64, n_critic=2, gp=10.0, lr=2e-4, iters=100, seed=0)


def mlp(i, o, width, act):
    return nn.Sequential(
        nn.Linear(i, width),
        act(),
        nn.Linear(width, width),
        act(),
        nn.Linear(width, o),
    )


def ring(n):
    k = torch.randint(0, 8, (n,)).float()
    ang = 2.0 * math.pi * k / 8.0
    return torch.stack([ang.cos(), ang.sin()], dim=-1) * 2.0 + 0.05 * torch.randn(n, 2)


class SmoothTracker:
    """Exponentially smoothed curves, as in the figure of the paper."""

    def __init__(self, momentum=0.95):
        self.momentum = momentum
        self.smooth = {}
        self.n = 0

    def update(self, **terms):
        self.n += 1
        for name, val in terms.items():
            prev = self.smooth.get(name)
            if prev is None:
                self.smooth[name] = val  # <- culprit
            else:
                self.smooth[name] = self.momentum * prev + (1.0 - self.momentum) * val  # <- culprit

    def report(self):
        return "  ".join(f"{k}:{v.item():+.4f}" for k, v in sorted(self.smooth.items()))


class WGAN:
    def __init__(self, hp):
        self.hp = hp
        self.gen = mlp(hp.z_dim, 2, hp.width, nn.ReLU)
        self.critic = mlp(2, 1, hp.width, nn.SiLU)
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=hp.lr, betas=(0.0, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=hp.lr, betas=(0.0, 0.9))

    def sample(self, n):
        return self.gen(torch.randn(n, self.hp.z_dim))

    def penalty(self, real, fake):
        eps = torch.rand(real.size(0), 1)
        mid = (eps * real + (1.0 - eps) * fake).requires_grad_()
        score = self.critic(mid)
        (g,) = torch.autograd.grad(score.sum(), mid, create_graph=True)
        return (g.norm(dim=-1) - 1.0).square().mean()

    def critic_step(self, real):
        with torch.no_grad():
            fake = self.sample(real.size(0))
        w = self.critic(real).mean() - self.critic(fake).mean()
        gp = self.penalty(real, fake)
        loss = -w + self.hp.gp * gp
        self.opt_c.zero_grad(set_to_none=True)
        loss.backward()
        self.opt_c.step()
        return w, gp  # <- culprit

    def gen_step(self):
        loss = -self.critic(self.sample(self.hp.batch)).mean()
        self.opt_g.zero_grad(set_to_none=True)
        loss.backward()
        self.opt_g.step()
        return loss


def train():
    torch.manual_seed(hp.seed)
    model = WGAN(hp)
    tracker = SmoothTracker()
    for it in range(hp.iters):
        for _ in range(hp.n_critic):
            w, gp = model.critic_step(ring(hp.batch))
        g = model.gen_step()
        tracker.update(w_dist=w.detach(), g_loss=g.detach(), gp=gp)  # <- culprit
        if (it + 1) % 25 == 0:
            with torch.no_grad():
                x = model.sample(256)
                modes = (torch.atan2(x[:, 1], x[:, 0]) / (math.pi / 4)).round().unique().numel()
            print(f"{it + 1:4d} {tracker.report()}  modes:{modes}")


if __name__ == "__main__":
    train()
