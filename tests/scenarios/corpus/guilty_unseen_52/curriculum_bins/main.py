# gradwatch-corpus: kind=graph-held
# holder: difficulty | buckets.difficulty
# first-bad: 1
import torch
from torch import nn

from buckets import EDGES, difficulty
from sources import Mixture


class Scorer(nn.Module):
    def __init__(self, n_in=20):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())
        self.head = nn.Linear(64, 1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(-1)


def main(rounds=140):
    torch.manual_seed(11)
    mix = Mixture(n_in=20, levels=len(EDGES) + 1)
    net = Scorer()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    tally = dict.fromkeys(range(len(EDGES) + 1), 0)
    level = 0
    for r in range(rounds):
        x, y = mix.draw(level, 24)
        loss = nn.functional.smooth_l1_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()

        tally[difficulty(loss)] += 1  # <- culprit
        level = mix.next_level(level, difficulty(loss))  # <- culprit
        if r % 35 == 0:
            print(f"round {r:3d} level {level} loss {loss.item():.4f}")
    print("bins:", tally)


if __name__ == "__main__":
    main()
