# gradwatch-corpus: kind=none
"""Population-based training of bread-sales forecasters."""
import copy
import random

import torch
from torch import nn


class Member:
    def __init__(self, ident, lr, decay):
        self.ident, self.lr, self.decay = ident, lr, decay
        self.net = nn.Sequential(nn.Linear(9, 24), nn.SiLU(), nn.Linear(24, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr, momentum=0.9)
        self.score = None
        self.last_loss = None
        self.lineage = [ident]

    def train(self, batches):
        for x, y in batches:
            fit = nn.functional.mse_loss(self.net(x).squeeze(1), y)
            size = sum(p.pow(2).sum() for p in self.net.parameters())
            self.last_loss = fit + self.decay * size
            self.opt.zero_grad()
            self.last_loss.backward()
            self.opt.step()

    @torch.no_grad()
    def evaluate(self, x, y):
        self.score = nn.functional.mse_loss(self.net(x).squeeze(1), y).item()

    def copy_from(self, other, rng):
        self.net.load_state_dict(other.net.state_dict())
        self.opt.load_state_dict(copy.deepcopy(other.opt.state_dict()))
        self.lr = other.lr * rng.choice((0.8, 1.25))
        self.decay = other.decay * rng.choice((0.5, 2.0))
        for group in self.opt.param_groups:
            group["lr"] = self.lr
        self.lineage = other.lineage[-5:] + [self.ident]


def sales(n, gen):
    day = torch.nn.functional.one_hot(torch.randint(0, 7, (n,), generator=gen), 7).float()
    rain = torch.rand(n, 2, generator=gen)
    y = day @ torch.tensor([0.1, 0.0, 0.2, 0.3, 0.9, 1.5, 1.1]) - rain[:, 0] * rain[:, 1]
    return torch.cat([day, rain], 1), y + 0.1 * torch.randn(n, generator=gen)


def exploit(population, rng):
    ranked = sorted(population, key=lambda m: m.score)
    quarter = max(1, len(ranked) // 4)
    for weak in ranked[-quarter:]:
        weak.copy_from(rng.choice(ranked[:quarter]), rng)
    return ranked[0]


def main(generations=15, steps=6):
    torch.manual_seed(37)
    rng, gen = random.Random(37), torch.Generator().manual_seed(37)
    population = [Member(i, 10 ** rng.uniform(-3, -1), 10 ** rng.uniform(-5, -3)) for i in range(8)]
    valid = sales(200, gen)
    records = []
    for g in range(generations):
        for member in population:
            member.train([sales(32, gen) for _ in range(steps)])
            member.evaluate(*valid)
        best = exploit(population, rng)
        records.append({"gen": g, "best": best.score, "lr": best.lr, "line": list(best.lineage)})
        if g % 3 == 0:
            losses = [round(m.last_loss.item(), 3) for m in population]
            print(f"gen {g} best {best.score:.4f} lr {best.lr:.4f} losses {losses}")
    print(records[-1])


if __name__ == "__main__":
    main()
