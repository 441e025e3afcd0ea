# gradwatch-corpus: kind=none
"""WGAN-GP on a two-armed spiral (Gulrajani et al. 2017)."""
import argparse
import math

import torch
import torch.nn as nn
from torch.autograd import grad

torch.set_num_threads(1)


def spiral(n):
    """Points of two interleaved arms."""
    r = torch.rand(n) * 1.5 + 0.2
    arm = torch.randint(0, 2, (n,)).float() * math.pi
    phi = 3 * r + arm
    pts = torch.stack([r * torch.cos(phi), r * torch.sin(phi)], 1)
    return pts + 0.03 * torch.randn(n, 2)


def mlp(d_in, width, d_out):
    return nn.Sequential(
        nn.Linear(d_in, width), nn.Softplus(),
        nn.Linear(width, width), nn.Softplus(),
        nn.Linear(width, d_out),
    )


class GradientPenalty:
    """E[(||grad critic(x_hat)|| - 1)^2] on lines between real and fake samples."""

    def __init__(self, weight):
        self.weight = weight
        self.last_norm = None

    def __call__(self, critic, real, fake):
        eps = torch.rand(real.size(0), 1)
        x_hat = (eps * real + (1 - eps) * fake).requires_grad_(True)
        score = critic(x_hat)
        (g,) = grad(score.sum(), x_hat, create_graph=True, retain_graph=True)
        norm = g.norm(2, dim=1)
        self.last_norm = norm.mean()
        return self.weight * ((norm - 1) ** 2).mean()


class Trainer:
    def __init__(self, args):
        self.args = args
        self.gen = mlp(args.z_dim, args.width, 2)
        self.critic = mlp(2, args.width, 1)
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=args.lr, betas=(0.0, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=args.lr, betas=(0.0, 0.9))
        self.penalty = GradientPenalty(args.gp_weight)
        self.fake = None
        self.log = {"w": [], "gp": [], "norm": []}

    def noise(self):
        return torch.randn(self.args.batch_size, self.args.z_dim)

    def critic_step(self):
        real = spiral(self.args.batch_size)
        self.fake = self.gen(self.noise())
        fake = self.fake.detach()
        w = self.critic(real).mean() - self.critic(fake).mean()
        gp = self.penalty(self.critic, real, fake)
        self.opt_c.zero_grad()
        (gp - w).backward()
        self.opt_c.step()
        self.log["w"].append(w.item())
        self.log["gp"].append(gp.item())
        self.log["norm"].append(self.penalty.last_norm.item())

    def generator_step(self):
        # the samples of the critic update serve again
        loss = -self.critic(self.fake).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return loss

    def fit(self):
        for it in range(self.args.iters):
            self.critic_step()
            self.generator_step()
            if it % 50 == 0:
                print(f"{it:4d} W {self.log['w'][-1]:.3f} gp {self.log['gp'][-1]:.3f} |grad| {self.log['norm'][-1]:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=200)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--z-dim", type=int, default=4)
    ap.add_argument("--width", type=int, default=32)
    ap.add_argument("--gp-weight", type=float, default=1.0)
    ap.add_argument("--lr", type=float, default=1e-3)
    args = ap.parse_args()
    torch.manual_seed(17)
    Trainer(args).fit()
