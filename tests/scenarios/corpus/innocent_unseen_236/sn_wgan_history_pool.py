# gradwatch-corpus: kind=none
"""Image-to-image style GAN on 1-d profiles: history pool of generated samples, R1 penalty, EMA generator."""
import copy
import random
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F

hp = {
    "length": 32,
    "batch": 24,
    "iters": 100,
    "pool": 120,
    "r1": 1.0,
    "r1_every": 4,
    "cycle": 5.0,
    "ema": 0.98,
    "lr": 5e-4,
}


class HistoryPool:
    def __init__(self, size):
        self.size = size
        self.items = []

    def query(self, fakes):
        out = []
        for f in fakes.detach():
            if len(self.items) < self.size:
                self.items.append(f.clone())
                out.append(f)
            elif random.random() < 0.5:
                j = random.randrange(self.size)
                out.append(self.items[j])
                self.items[j] = f.clone()
            else:
                out.append(f)
        return torch.stack(out)


def make_gen():
    return nn.Sequential(
        nn.Conv1d(1, 16, 5, padding=2),
        nn.ReLU(),
        nn.Conv1d(16, 16, 5, padding=2),
        nn.ReLU(),
        nn.Conv1d(16, 1, 5, padding=2),
    )


def make_disc(length):
    sn = nn.utils.parametrizations.spectral_norm
    return nn.Sequential(
        sn(nn.Conv1d(1, 16, 4, stride=2, padding=1)),
        nn.LeakyReLU(0.2),
        nn.Flatten(),
        sn(nn.Linear(16 * length // 2, 1)),
    )


def domain_a(n, length):
    t = torch.linspace(0, 6.28, length)
    return torch.sin(t * (1.0 + 2.0 * torch.rand(n, 1)) + 6.28 * torch.rand(n, 1)).unsqueeze(1)


def domain_b(n, length):
    return domain_a(n, length).sign() * 0.8 + 0.05 * torch.randn(n, 1, length)


class Trainer:
    def __init__(self, hp):
        self.hp = hp
        self.ab = make_gen()
        self.ba = make_gen()
        self.disc = make_disc(hp["length"])
        self.ema = copy.deepcopy(self.ab).requires_grad_(False)
        self.opt_g = torch.optim.Adam([*self.ab.parameters(), *self.ba.parameters()], lr=hp["lr"], betas=(0.5, 0.99))
        self.opt_d = torch.optim.Adam(self.disc.parameters(), lr=hp["lr"], betas=(0.5, 0.99))
        self.pool = HistoryPool(hp["pool"])
        self.log = defaultdict(list)

    def generator(self, a):
        self.disc.requires_grad_(False)
        fake = self.ab(a)
        adv = F.softplus(-self.disc(fake)).mean()
        cyc = F.l1_loss(self.ba(fake), a)
        self.opt_g.zero_grad()
        (adv + self.hp["cycle"] * cyc).backward()
        self.opt_g.step()
        self.disc.requires_grad_(True)
        self.log["adv"].append(adv.item())
        self.log["cyc"].append(cyc.item())
        return fake

    def discriminator(self, real, fake, it):
        old = self.pool.query(fake)
        loss = F.softplus(-self.disc(real)).mean() + F.softplus(self.disc(old)).mean()
        if it % self.hp["r1_every"] == 0:
            x = real.clone().requires_grad_()
            (g,) = torch.autograd.grad(self.disc(x).sum(), x, create_graph=True)
            r1 = g.square().sum(dim=(1, 2)).mean()
            loss = loss + 0.5 * self.hp["r1"] * self.hp["r1_every"] * r1
            self.log["r1"].append(r1.item())
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        self.log["d"].append(loss.item())

    @torch.no_grad()
    def average(self):
        for p, q in zip(self.ab.parameters(), self.ema.parameters()):
            q.mul_(self.hp["ema"]).add_(p, alpha=1.0 - self.hp["ema"])


def main():
    torch.manual_seed(4)
    random.seed(4)
    tr = Trainer(hp)
    for it in range(hp["iters"]):
        a = domain_a(hp["batch"], hp["length"])
        b = domain_b(hp["batch"], hp["length"])
        fake = tr.generator(a)
        tr.discriminator(b, fake, it)
        tr.average()
        if (it + 1) % 25 == 0:
            print(it + 1, {k: round(sum(v[-20:]) / len(v[-20:]), 3) for k, v in tr.log.items()})


if __name__ == "__main__":
    main()
