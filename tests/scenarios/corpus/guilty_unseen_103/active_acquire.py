# gradwatch-corpus: kind=graph-held
# holder: pool.acquired | self.acquired | acquired | a.score | Acquisition.score
# first-bad: 1
# notice: 8
"""Pool-based active learning for a toxicity regressor; one query per round."""
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_num_threads(1)


@dataclass
class Acquisition:
    index: int
    round: int
    score: torch.Tensor


@dataclass
class Pool:
    x: torch.Tensor
    y: torch.Tensor
    acquired: list = field(default_factory=list)
    free: set = None

    def __post_init__(self):
        self.free = set(range(len(self.x)))

    def candidates(self, k, gen):
        ids = torch.tensor(sorted(self.free))
        return ids[torch.randperm(len(ids), generator=gen)[:k]]

    def take(self, index, rnd, score):
        self.free.discard(index)
        self.acquired.append(Acquisition(index, rnd, score))  # <- culprit

    def labelled(self):
        ids = [a.index for a in self.acquired]
        return self.x[ids], self.y[ids]


class Ensemble(nn.Module):
    def __init__(self, d, members=4):
        super().__init__()
        self.members = nn.ModuleList(
            nn.Sequential(nn.Linear(d, 16), nn.SiLU(), nn.Linear(16, 1)) for _ in range(members)
        )

    def forward(self, x):
        return torch.stack([m(x).squeeze(1) for m in self.members])


def disagreement(model, x):
    return model(x).std(0)


def main():
    torch.manual_seed(8)
    gen = torch.Generator().manual_seed(9)
    x = torch.randn(900, 7)
    y = (x[:, 0] * x[:, 1]).tanh() + 0.3 * x[:, 2]
    pool = Pool(x, y)
    model = Ensemble(7)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)

    for rnd in range(300):
        ids = pool.candidates(24, gen)
        spread = disagreement(model, pool.x[ids])
        best = spread.argmax()
        pool.take(int(ids[best]), rnd, spread[best])  # <- culprit

        bx, by = pool.labelled()
        pick = torch.randint(len(bx), (min(32, len(bx)),), generator=gen)
        loss = (model(bx[pick]) - by[pick]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if (rnd + 1) % 60 == 0:
            recent = [a.score.item() for a in pool.acquired[-20:]]
            print(f"round {rnd + 1}: loss {loss.item():.4f}, mean queried spread {sum(recent) / 20:.4f}")


if __name__ == "__main__":
    main()
