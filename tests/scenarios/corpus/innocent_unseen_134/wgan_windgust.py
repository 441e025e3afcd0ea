# gradwatch-corpus: kind=none
"""Conditional WGAN-GP for gust profiles; the critic's terms of one round are kept and summed up after it."""
import math
from collections import defaultdict

import torch
from torch import autograd, nn, optim

torch.set_num_threads(1)


class Meter:
    def __init__(self):
        self.round = defaultdict(list)
        self.means = defaultdict(list)

    def put(self, **kw):
        for k, v in kw.items():
            self.round[k].append(v)

    def close_round(self):
        for k, v in self.round.items():
            self.means[k].append(torch.stack(v).mean().item())
        self.round.clear()


class Profile(nn.Module):
    def __init__(self, levels, noise):
        super().__init__()
        self.noise = noise
        self.net = nn.Sequential(nn.Linear(noise + 1, 28), nn.Softplus(), nn.Linear(28, levels))

    def forward(self, cond):
        return self.net(torch.cat([torch.randn(len(cond), self.noise), cond], 1))


class Critic(nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(levels + 1, 28), nn.LeakyReLU(0.1), nn.Linear(28, 28), nn.LeakyReLU(0.1), nn.Linear(28, 1))

    def forward(self, x, cond):
        return self.net(torch.cat([x, cond], 1)).squeeze(1)


class WindGan:
    def __init__(self, levels=10, batch=16, n_critic=4, lam=10.0):
        self.levels, self.batch, self.n_critic, self.lam = levels, batch, n_critic, lam
        self.gen, self.critic = Profile(levels, 5), Critic(levels)
        self.og = optim.Adam(self.gen.parameters(), lr=5e-4, betas=(0.0, 0.9))
        self.oc = optim.Adam(self.critic.parameters(), lr=5e-4, betas=(0.0, 0.9))
        self.meter = Meter()

    def observed(self):
        cond = torch.rand(self.batch, 1)
        z = torch.arange(1, self.levels + 1)
        mean = (1 + 4 * cond) * torch.log1p(z) / math.log(self.levels)
        return mean + 0.4 * torch.randn(self.batch, self.levels), cond

    def penalty(self, x, y, cond):
        e = torch.rand(len(x), 1)
        mix = torch.lerp(x, y, e).requires_grad_()
        g = autograd.grad(self.critic(mix, cond).sum(), mix, create_graph=True, retain_graph=True)[0]
        return ((g.norm(2, dim=1) - 1) ** 2).mean()

    def critic_step(self):
        x, c = self.observed()
        y = self.gen(c).detach()
        gap = self.critic(x, c).mean() - self.critic(y, c).mean()
        gp = self.penalty(x, y, c)
        self.oc.zero_grad()
        (self.lam * gp - gap).backward()
        self.oc.step()
        self.meter.put(gap=gap, gp=gp)

    def gen_step(self):
        _, c = self.observed()
        score = self.critic(self.gen(c), c).mean()
        self.og.zero_grad()
        score.neg().backward()
        self.og.step()
        self.meter.put(score=score)

    def fit(self, rounds):
        for _ in range(rounds):
            for _ in range(self.n_critic):
                self.critic_step()
            self.gen_step()
            self.meter.close_round()
        return {k: v[-1] for k, v in self.meter.means.items()}


if __name__ == "__main__":
    torch.manual_seed(11)
    print(WindGan().fit(160))
