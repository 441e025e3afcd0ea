# gradwatch-corpus: kind=none
"""WGAN-GP with path-length regularisation of the generator (running mean as in StyleGAN2)."""
import argparse
from collections import defaultdict

import torch
import torch.nn as nn

PENALTIES = {}


def penalty(name, every):
    def deco(fn):
        PENALTIES[name] = (fn, every)
        return fn
    return deco


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.Softplus(), nn.Linear(h, h), nn.Softplus(), nn.Linear(h, o))


@penalty("gp", every=1)
def gradient_penalty(trainer, real, fake, scores):
    a = torch.rand(real.shape[0], 1)
    mix = (a * real + (1 - a) * fake).requires_grad_()
    grad, = torch.autograd.grad(trainer.critic(mix).sum(), mix, create_graph=True)
    return 10 * ((grad.norm(dim=1) - 1) ** 2).mean()


@penalty("drift", every=4)
def drift(trainer, real, fake, scores):
    return 1e-2 * scores.pow(2).mean()


class PathLength:
    """Penalises the departure of |J^T y| from its running mean."""

    def __init__(self, decay=0.05):
        self.mean, self.decay = torch.zeros(()), decay

    def __call__(self, z, out):
        noise = torch.randn_like(out)
        jac, = torch.autograd.grad((out * noise).sum(), z, create_graph=True)
        lengths = jac.pow(2).sum(1).add(1e-8).sqrt()
        target = self.mean + self.decay * (lengths.mean() - self.mean)
        self.mean = target.detach()
        return (lengths - target).pow(2).mean()


class Trainer:
    def __init__(self, latent=8, data=2, width=32):
        self.gen, self.critic = mlp(latent, width, data), mlp(data, width, 1)
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=2e-3, betas=(0.5, 0.9))
        self.path = PathLength()
        self.latent = latent
        self.history = defaultdict(list)

    def critic_step(self, real, it):
        fake = self.gen(torch.randn(real.shape[0], self.latent)).detach()
        scores = self.critic(real)
        wdist = self.critic(fake).mean() - scores.mean()
        self.opt_c.zero_grad()
        due = [(n, fn) for n, (fn, every) in PENALTIES.items() if it % every == 0]
        wdist.backward(retain_graph=bool(due))
        for i, (name, fn) in enumerate(due):
            term = fn(self, real, fake, scores)
            term.backward(retain_graph=i < len(due) - 1)
            self.history[name].append(term.item())
        self.opt_c.step()
        self.history["wdist"].append(-wdist.item())

    def gen_step(self, n, it):
        z = torch.randn(n, self.latent, requires_grad=True)
        out = self.gen(z)
        adv = -self.critic(out).mean()
        self.opt_g.zero_grad()
        if it % 2 == 0:
            adv.backward(retain_graph=True)
            reg = self.path(z, out)
            (0.1 * reg).backward()
            self.history["path"].append(reg.item())
        else:
            adv.backward()
        self.opt_g.step()


def mixture(n):
    k = torch.randint(0, 8, (n,)).float() * 0.7854
    return torch.stack([k.cos(), k.sin()], 1) + 0.05 * torch.randn(n, 2)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=150)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    t = Trainer()
    for it in range(args.iters):
        for _ in range(2):
            t.critic_step(mixture(32), it)
        t.gen_step(32, it)
        if it % 30 == 0:
            print(it, {k: round(v[-1], 3) for k, v in t.history.items()}, "pl", round(float(t.path.mean), 3))


if __name__ == "__main__":
    main()
