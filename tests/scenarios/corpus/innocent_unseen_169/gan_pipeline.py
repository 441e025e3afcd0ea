# gradwatch-corpus: kind=none
import copy
import random
from collections import deque

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(181)
random.seed(181)

STAGES = [dict(name="critic_warmup", rounds=8, n_critic=4, pool=False, path_reg=False),
          dict(name="adversarial", rounds=25, n_critic=2, pool=False, path_reg=False),
          dict(name="regularised", rounds=25, n_critic=2, pool=True, path_reg=True)]


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.Softplus(), nn.Linear(h, h), nn.Softplus(), nn.Linear(h, o))


class SamplePool:
    def __init__(self, size):
        self.size, self.items = size, []

    def mix(self, fake):
        out = []
        for row in fake.detach():
            if len(self.items) < self.size:
                self.items.append(row)
                out.append(row)
            elif random.random() < 0.5:
                k = random.randrange(self.size)
                out.append(self.items[k])
                self.items[k] = row
            else:
                out.append(row)
        return torch.stack(out)


class PathLength:
    """Pulls the generator's Jacobian norm to its own slow mean."""

    def __init__(self):
        self.mean, self.lengths = torch.zeros(()), deque(maxlen=2)

    def __call__(self, z, fake):
        noise = torch.randn_like(fake)
        (g,) = torch.autograd.grad((fake * noise).sum(), z, create_graph=True)
        self.lengths.append(g.pow(2).sum(1).sqrt())
        self.mean = self.mean + 0.1 * (self.lengths[-1].mean().detach() - self.mean)
        return (self.lengths[-1] - self.mean).pow(2).mean()

    def done(self):
        self.lengths.clear()


class Gan:
    def __init__(self, real):
        self.real = real
        self.g, self.d = mlp(4, 24, 2), mlp(2, 24, 1)
        self.avg = copy.deepcopy(self.g).requires_grad_(False)
        self.og = torch.optim.Adam(self.g.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.od = torch.optim.Adam(self.d.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.pool, self.path = SamplePool(200), PathLength()
        self.metrics = {"d": [], "g": [], "gp": []}

    def penalty(self, a, b):
        mix = torch.lerp(a, b, torch.rand(len(a), 1)).requires_grad_()
        (g,) = torch.autograd.grad(self.d(mix).sum(), mix, create_graph=True)
        return (g.norm(dim=1) - 1).pow(2).mean()

    def critic_step(self, stage, n=32):
        real = self.real[torch.randint(len(self.real), (n,))]
        with torch.no_grad():
            fake = self.g(torch.randn(n, 4))
        if stage["pool"]:
            fake = self.pool.mix(fake)
        gp = self.penalty(real, fake)
        self.od.zero_grad()
        (10 * gp).backward()
        loss = self.d(fake).mean() - self.d(real).mean()
        loss.backward()
        self.od.step()
        self.metrics["d"].append(loss.item())
        self.metrics["gp"].append(gp.item())

    def generator_step(self, stage, n=32):
        z = torch.randn(n, 4, requires_grad=True)
        fake = self.g(z)
        self.d.requires_grad_(False)
        adv = -self.d(fake).mean()
        self.og.zero_grad()
        adv.backward(retain_graph=stage["path_reg"])
        if stage["path_reg"]:
            (0.1 * self.path(z, fake)).backward()
            self.path.done()
        self.og.step()
        self.d.requires_grad_(True)
        with torch.no_grad():
            for slow, p in zip(self.avg.parameters(), self.g.parameters()):
                slow.lerp_(p, 0.05)
        self.metrics["g"].append(adv.item())

    def run(self, stage):
        for _ in range(stage["rounds"]):
            for _ in range(stage["n_critic"]):
                self.critic_step(stage)
            if stage["name"] != "critic_warmup":
                self.generator_step(stage)
        print(stage["name"], {k: round(sum(v[-20:]) / max(len(v[-20:]), 1), 4) for k, v in self.metrics.items()})


if __name__ == "__main__":
    angle = 6.2832 * torch.randint(8, (800,)) / 8
    gan = Gan(torch.stack([angle.cos(), angle.sin()], 1) + 0.05 * torch.randn(800, 2))
    for stage in STAGES:
        gan.run(stage)
