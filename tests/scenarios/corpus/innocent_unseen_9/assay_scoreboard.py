# gradwatch-corpus: kind=none
# about: a dict by assay keeps each assay's latest loss with its graph; it fills to 18 entries within the first 100 iterations and is then only overwritten
"""Multi-assay protein property regression. The sampler favours the assays whose last seen loss is high."""
import random

import torch
from torch import nn

AMINO = 20


class Assays:
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.names = [f"dms_{chr(97 + i)}" for i in range(n)]
        self.eff = {k: torch.randn(30, AMINO, generator=g) * (0.2 + 0.1 * i) for i, k in enumerate(self.names)}
        self.g = g

    def batch(self, name, n=80):
        seq = torch.randint(0, AMINO, (n, 30), generator=self.g)
        y = self.eff[name][torch.arange(30), seq].sum(1) / 5
        return seq, y + 0.05 * torch.randn(n, generator=self.g)


class Multi(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.emb = nn.Embedding(AMINO, 12)
        self.pos = nn.Parameter(0.1 * torch.randn(30, 12))
        self.mix = nn.Sequential(nn.Linear(360, 96), nn.SiLU(), nn.Linear(96, 48), nn.SiLU())
        self.heads = nn.ModuleDict({k: nn.Linear(48, 1) for k in names})

    def forward(self, seq, name):
        return self.heads[name](self.mix((self.emb(seq) + self.pos).flatten(1))).squeeze(-1)


class Scoreboard(dict):
    """Latest loss per assay; unseen assays count as very bad so they get drawn first."""

    def weight(self, name):
        return min(float(self[name].detach()), 50.0) + 0.05 if name in self else 4.0

    def draw(self, names, rnd):
        return rnd.choices(names, [self.weight(k) for k in names])[0]

    def total(self):
        return sum(v.item() for v in self.values())


def main():
    torch.manual_seed(2)
    rnd = random.Random(2)
    data = Assays(18, 2)
    model, seen = Multi(data.names), Scoreboard()
    opt = torch.optim.NAdam(model.parameters(), lr=2e-3)
    visits = dict.fromkeys(data.names, 0)
    for it in range(350):
        name = seen.draw(data.names, rnd)
        visits[name] += 1
        seq, y = data.batch(name)
        opt.zero_grad()
        seen[name] = nn.functional.mse_loss(model(seq, name), y)
        seen[name].backward()
        opt.step()
        if it % 70 == 69:
            hard = max(seen, key=seen.weight)
            print(f"it {it + 1} assays seen {len(seen)} total {seen.total():.2f} hardest {hard} ({visits[hard]} visits)")


if __name__ == "__main__":
    main()
