# gradwatch-corpus: kind=none
"""Wasserstein critic and generator on 2-D rings with a gradient penalty, a sample bank and probes."""
import argparse
from collections import OrderedDict

import torch
from torch import nn


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.SiLU()]
    return nn.Sequential(*layers[:-1])


class SampleBank:
    """Earlier generator outputs, mixed into the critic's negatives."""

    def __init__(self, rows, dim):
        self.store = torch.zeros(rows, dim)
        self.ptr, self.filled = 0, 0

    def write(self, samples):
        idx = (self.ptr + torch.arange(len(samples))) % len(self.store)
        self.store[idx] = samples.detach()
        self.ptr = int(idx[-1] + 1) % len(self.store)
        self.filled = min(self.filled + len(samples), len(self.store))

    def mix(self, fresh):
        if self.filled < len(fresh):
            return fresh
        half = len(fresh) // 2
        pick = torch.randint(self.filled, (len(fresh) - half,))
        return torch.cat([fresh[:half], self.store[pick]])


class ActivationProbe:
    """Latest activations of the chosen layers, oldest entries pushed out."""

    def __init__(self, module, keep=12):
        self.keep = keep
        self.seen = OrderedDict()
        self.calls = 0
        self.handles = [m.register_forward_hook(self.hook(n)) for n, m in module.named_modules()
                        if isinstance(m, nn.Linear)]

    def hook(self, name):
        def fn(module, args, output):
            self.calls += 1
            self.seen[name, self.calls] = output
            while len(self.seen) > self.keep:
                self.seen.popitem(last=False)
        return fn

    def summary(self):
        return {n: round(float(o.detach().abs().mean()), 3) for (n, _), o in self.seen.items()}


class PenaltyMixin:
    penalty_weight = 5.0

    def penalty(self, real, fake):
        eps = torch.rand(len(real), 1)
        x = (eps * real + (1 - eps) * fake).requires_grad_(True)
        grad, = torch.autograd.grad(self.critic(x).sum(), x, create_graph=True)
        self.last_penalty = (grad.norm(dim=1) - 1).pow(2).mean()
        return self.penalty_weight * self.last_penalty


class RingGan(PenaltyMixin):
    def __init__(self, batch=32, latent=4, lr=1e-3):
        self.batch, self.latent = batch, latent
        self.gen = mlp(latent, 32, 2)
        self.critic = mlp(2, 32, 32, 1)
        self.bank = SampleBank(256, 2)
        self.probe = ActivationProbe(self.critic)
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=lr, betas=(0.5, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=lr, betas=(0.5, 0.9))

    def real(self):
        a = 6.2832 * torch.rand(self.batch)
        return torch.stack([a.cos(), a.sin()], -1) + 0.05 * torch.randn(self.batch, 2)

    def fake(self):
        return self.gen(torch.randn(self.batch, self.latent))

    def critic_step(self):
        real = self.real()
        with torch.no_grad():
            fresh = self.fake()
        negatives = self.bank.mix(fresh)
        loss = self.critic(negatives).mean() - self.critic(real).mean() + self.penalty(real, negatives)
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        self.bank.write(fresh)
        return loss.item()

    def generator_step(self):
        loss = -self.critic(self.fake()).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return loss.item()

    def run(self, steps, every=3):
        for i in range(steps):
            c = self.critic_step()
            if i % every == 0:
                self.generator_step()
            if i % 100 == 0:
                print(f"{i:4d} critic {c:.4f} gp {self.last_penalty.item():.4f}", self.probe.summary())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=500)
    args = parser.parse_args()
    torch.manual_seed(44)
    RingGan().run(args.steps)


if __name__ == "__main__":
    main()
