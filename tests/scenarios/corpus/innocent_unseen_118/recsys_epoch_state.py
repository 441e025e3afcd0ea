# gradwatch-corpus: kind=none
import functools
import typing as tp
from collections import defaultdict

import torch
import torch.nn as nn


class State(tp.NamedTuple):
    losses: tp.List[torch.Tensor]
    scores: tp.DefaultDict[str, tp.List[torch.Tensor]]
    users: tp.Set[int]


def fresh_state() -> State:
    return State([], defaultdict(list), set())


class MatrixFactorization(nn.Module):
    def __init__(self, users, items, k):
        super().__init__()
        self.u, self.i = nn.Embedding(users, k), nn.Embedding(items, k)
        self.ub, self.ib = nn.Embedding(users, 1), nn.Embedding(items, 1)
        nn.init.normal_(self.u.weight, std=0.1)
        nn.init.normal_(self.i.weight, std=0.1)
        nn.init.zeros_(self.ub.weight)
        nn.init.zeros_(self.ib.weight)

    def forward(self, u, i):
        return (self.u(u) * self.i(i)).sum(-1) + self.ub(u).squeeze(-1) + self.ib(i).squeeze(-1)


class BprTrainer:
    def __init__(self, model, state_factory: tp.Callable[[], State] = fresh_state):
        self.model = model
        self.opt = torch.optim.Adagrad(model.parameters(), lr=0.1)
        self.state_factory = state_factory
        self.state: tp.Optional[State] = None
        self.summary: tp.List[tp.Dict[str, float]] = []

    def epoch(self, batches):
        self.state = state = self.state_factory()
        for u, pos, neg in batches:
            s_pos, s_neg = self.model(u, pos), self.model(u, neg)
            loss = -nn.functional.logsigmoid(s_pos - s_neg).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            state.losses.append(loss)
            state.scores["pos"].append(s_pos)
            state.scores["neg"].append(s_neg)
            state.users.update(u.tolist())
        self.summary.append(self.digest())

    def digest(self):
        s = self.state
        gap = torch.cat(s.scores["pos"]) - torch.cat(s.scores["neg"])
        return {
            "loss": torch.stack(s.losses).mean().item(),
            "auc": (gap > 0).float().mean().item(),
            "coverage": len(s.users),
        }


def batches(n, taste, users=50, items=80, batch=48):
    for _ in range(n):
        u = torch.randint(users, (batch,))
        cand = torch.randint(items, (batch, 2))
        like = taste[u.unsqueeze(1), cand]
        swap = (like[:, 0] < like[:, 1]).long().unsqueeze(1)
        yield u, cand.gather(1, swap).squeeze(1), cand.gather(1, 1 - swap).squeeze(1)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(8)
    taste = torch.randn(50, 4) @ torch.randn(4, 80)
    make = functools.partial(batches, 11, taste)
    trainer = BprTrainer(MatrixFactorization(50, 80, 8))
    for e in range(32):
        trainer.epoch(make())
        if e % 8 == 7:
            print(e + 1, {k: round(v, 4) for k, v in trainer.summary[-1].items()})
