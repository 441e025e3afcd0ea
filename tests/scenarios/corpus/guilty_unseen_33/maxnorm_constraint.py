# gradwatch-corpus: kind=inplace-modified
# first-bad: 65
"""Matrix factorisation of ratings with a deep interaction head and max-norm rows."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Setup:
    users: int = 80
    items: int = 60
    rank: int = 12
    batch: int = 64
    steps: int = 200
    lr: float = 0.02
    max_norm: float = 1.6


class Constraint:
    def __init__(self, params, max_norm):
        self.params, self.max_norm = list(params), max_norm
        self.applied = 0

    @torch.no_grad()
    def project(self):
        for w in self.params:
            norms = w.norm(dim=1, keepdim=True)
            if (norms > self.max_norm).any():
                w.mul_((self.max_norm / norms).clamp(max=1.0))  # <- culprit
                self.applied += 1


class Recommender(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.user = nn.Embedding(s.users, s.rank)
        self.item = nn.Embedding(s.items, s.rank)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        self.mix = nn.Linear(2 * s.rank, s.rank)
        self.score = nn.Linear(s.rank, 1)

    def forward(self, u, i):
        pair = torch.cat([self.user(u), self.item(i)], dim=-1)
        return self.score(torch.relu(self.mix(pair))).squeeze(-1) + (self.user(u) * self.item(i)).sum(-1)


class Job:
    def __init__(self, s):
        self.s = s
        self.model = Recommender(s)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=s.lr)
        self.constraint = Constraint([self.model.mix.weight], s.max_norm)
        taste, kind = torch.randn(s.users, 4), torch.randn(s.items, 4)
        self.ratings = taste @ kind.T

    def sample(self):
        u = torch.randint(0, self.s.users, (self.s.batch,))
        i = torch.randint(0, self.s.items, (self.s.batch,))
        return u, i, self.ratings[u, i]

    def objective(self):
        u, i, r = self.sample()
        loss = F.smooth_l1_loss(self.model(u, i), r)
        self.constraint.project()  # <- culprit
        return loss

    def run(self):
        for step in range(self.s.steps):
            loss = self.objective()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if step % 10 == 0:
                top = self.model.mix.weight.detach().norm(dim=1).max().item()
                print(f"{step:4d} loss {loss.item():.4f} top row norm {top:.3f}")


if __name__ == "__main__":
    torch.manual_seed(1)
    Job(Setup()).run()
