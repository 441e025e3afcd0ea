# gradwatch-corpus: kind=none
"""Joint energy model with persistent chains, differentiable last move, gradient penalty, and an
amortised generator trained against the same graph."""
import argparse

import torch
from torch import nn

torch.set_num_threads(1)

parser = argparse.ArgumentParser()
parser.add_argument("--iters", type=int, default=200)
parser.add_argument("--chains", type=int, default=256)
parser.add_argument("--batch", type=int, default=64)
parser.add_argument("--moves", type=int, default=6)


def mlp(*dims):
    layers = []
    for a, b in zip(dims[:-1], dims[1:]):
        layers += [nn.Linear(a, b), nn.SiLU()]
    return nn.Sequential(*layers[:-1])


class PersistentChains:
    def __init__(self, n, dim=2):
        self.state = torch.randn(n, dim)
        self.cursor = None

    def take(self, k):
        self.cursor = torch.randperm(len(self.state))[:k]
        reborn = torch.rand(k, 1) < 0.05
        x = self.state[self.cursor]
        return torch.where(reborn, torch.randn_like(x), x)

    def give(self, x):
        self.state[self.cursor] = x.data


class Trainer:
    def __init__(self, args):
        self.args = args
        self.energy, self.gen = mlp(2, 96, 96, 1), mlp(4, 64, 2)
        self.opt_e = torch.optim.Adam(self.energy.parameters(), lr=1e-3, betas=(0.0, 0.99))
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=1e-3)
        self.chains = PersistentChains(args.chains)
        self.stats = {"cd": None, "gp": None, "gen": None}

    def move(self, x, keep):
        x = x.detach().requires_grad_()
        (g,) = torch.autograd.grad(self.energy(x).sum(), x, create_graph=keep)
        return (x if keep else x.detach()) - 0.05 * g + 0.02 * torch.randn_like(x)

    def sample(self):
        x = self.chains.take(self.args.batch)
        for k in range(self.args.moves):
            x = self.move(x, keep=k == self.args.moves - 1)
        self.chains.give(x)
        return x

    def penalty(self, x):
        x = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(self.energy(x).sum(), x, create_graph=True)
        return g.square().sum(1).mean()

    def energy_step(self, real):
        neg = self.sample()
        e_pos, e_neg = self.energy(real).mean(), self.energy(neg.detach()).mean()
        gp = self.penalty(real)
        for p in self.energy.parameters():
            p.requires_grad_(False)
        kl = self.energy(neg).mean()
        for p in self.energy.parameters():
            p.requires_grad_(True)
        cd = e_pos - e_neg
        reg = 0.05 * (e_pos.square() + e_neg.square()) + 0.02 * gp
        self.opt_e.zero_grad()
        (cd + reg).backward(retain_graph=True)
        main = [p.grad.clone() for p in self.energy.parameters()]
        self.opt_e.zero_grad()
        (0.2 * kl + 0.01 * e_neg).backward()
        # the entropy part may never outweigh the contrastive part
        ratio = sum(m.norm() for m in main) / (sum(p.grad.norm() for p in self.energy.parameters()) + 1e-8)
        for p, m in zip(self.energy.parameters(), main):
            p.grad.mul_(ratio.clamp_max(1.0)).add_(m)
        self.opt_e.step()
        return cd, gp

    def generator_step(self):
        fake = self.gen(torch.randn(self.args.batch, 4))
        spread = torch.pdist(fake).clamp_max(1.0).mean()
        loss = self.energy(fake).mean() - 0.5 * spread
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return loss

    def note(self, **values):
        for k, v in values.items():
            v = v.detach()
            self.stats[k] = v if self.stats[k] is None else 0.9 * self.stats[k] + 0.1 * v

    def fit(self):
        for it in range(self.args.iters):
            side = torch.randint(0, 2, (self.args.batch, 1)).float() * 2 - 1
            real = torch.cat([side, -side], 1) * 0.8 + 0.1 * torch.randn(self.args.batch, 2)
            cd, gp = self.energy_step(real)
            self.note(cd=cd, gp=gp, gen=self.generator_step())
            if it % 40 == 0:
                print(it, {k: round(v.item(), 4) for k, v in self.stats.items()})


if __name__ == "__main__":
    torch.manual_seed(8)
    Trainer(parser.parse_args()).fit()
