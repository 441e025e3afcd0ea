# gradwatch-corpus: kind=graph-held
# holder: self.board | self.league.board | pop.league.board | trial.loss | trial
# first-bad: 1
# notice: 8
"""Population-based training of tiny regressors on a drifting sine stream."""
import copy
import heapq
import itertools
import random
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass(order=True)
class Trial:
    score: float
    serial: int
    uid: int = field(compare=False)
    lr: float = field(compare=False)
    loss: torch.Tensor = field(compare=False, repr=False)


class League:
    """Orders every finished trial, best first, so that exploit() may ask for the leaders."""

    def __init__(self):
        self.board: list[Trial] = []
        self._serial = itertools.count()

    def submit(self, member, loss):
        trial = Trial(loss.item(), next(self._serial), member.uid, member.lr, loss)  # <- culprit
        heapq.heappush(self.board, trial)  # <- culprit

    def leaders(self, k, horizon):
        newest = len(self.board)
        fresh = (t for t in self.board if t.serial >= newest - horizon)
        return heapq.nsmallest(k, fresh)


class Member:
    def __init__(self, uid, lr):
        self.uid = uid
        self.net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
        self.set_lr(lr)

    def set_lr(self, lr):
        self.lr = lr
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr, momentum=0.8)

    def train_on(self, x, y):
        self.opt.zero_grad()
        loss = nn.functional.huber_loss(self.net(x).squeeze(-1), y)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        return loss

    def adopt(self, other, rng):
        self.net.load_state_dict(copy.deepcopy(other.net.state_dict()))
        self.set_lr(min(0.3, other.lr * rng.choice((0.8, 1.25))))


class Population:
    def __init__(self, size, seed):
        self.rng = random.Random(seed)
        self.members = [Member(i, 10 ** self.rng.uniform(-3, -1)) for i in range(size)]
        self.league = League()

    def generation(self, x, y):
        for m in self.members:
            self.league.submit(m, m.train_on(x, y))

    def exploit(self):
        horizon = 4 * len(self.members)
        best = {t.uid for t in self.league.leaders(2, horizon)}
        worst = max(self.members, key=lambda m: m.lr * (m.uid not in best))
        source = self.members[self.rng.choice(sorted(best))]
        if worst.uid not in best:
            worst.adopt(source, self.rng)


def stream(n, batch, gen):
    for t in range(n):
        phase = 0.02 * t
        x = torch.rand(batch, 1, generator=gen) * 4 - 2
        feats = torch.cat([x, x ** 2, torch.cos(x)], dim=1)
        yield feats, torch.sin(2 * x.squeeze(1) + phase)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(9)
    pop = Population(size=5, seed=2)
    for step, (x, y) in enumerate(stream(120, 32, gen)):
        pop.generation(x, y)
        if step % 15 == 14:
            pop.exploit()
        if step % 30 == 29:
            top = pop.league.leaders(1, 20)[0]
            print(f"gen {step + 1}: best member {top.uid} lr={top.lr:.4f} score={top.score:.4f}")


if __name__ == "__main__":
    main()
