# gradwatch-corpus: kind=graph-held
# holder: tail | steps | head
# first-bad: 1
# notice: 8
"""Two-tower retrieval with in-batch negatives; the loop is a generator of step results."""
import itertools
from typing import NamedTuple

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(23)


class Step(NamedTuple):
    idx: int
    loss: float
    scores: torch.Tensor


class Tower(nn.Module):
    def __init__(self, n, d=16):
        super().__init__()
        self.emb = nn.Embedding(n, d)
        self.mlp = nn.Sequential(nn.Linear(d, 32), nn.GELU(), nn.Linear(32, d))

    def forward(self, ids):
        return F.normalize(self.mlp(self.emb(ids)), dim=-1)


class Retrieval(nn.Module):
    def __init__(self, users, items):
        super().__init__()
        self.u, self.v = Tower(users), Tower(items)
        self.log_t = nn.Parameter(torch.tensor(1.5))

    def forward(self, u, v):
        return self.log_t.exp() * self.u(u) @ self.v(v).T


class Clicks:
    def __init__(self, users, items, batch=32):
        self.users, self.items, self.batch = users, items, batch
        self.taste = torch.randint(items, (users,))

    def draw(self):
        u = torch.randint(self.users, (self.batch,))
        jitter = torch.randint(-3, 4, (self.batch,))
        return u, (self.taste[u] + jitter) % self.items


class Session:
    """Runs steps lazily and hands them to consumers."""

    def __init__(self, model, clicks, steps):
        self.model, self.clicks, self.steps = model, clicks, steps
        self.opt = torch.optim.Adagrad(model.parameters(), lr=0.05)

    def __iter__(self):
        for k in range(self.steps):
            u, v = self.clicks.draw()
            s = self.model(u, v)
            loss = F.cross_entropy(s, torch.arange(len(u)))
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            yield Step(k, loss.item(), s)  # <- culprit


def recall_at(steps, k=3):
    hit = n = 0
    for st in steps:
        top = st.scores.topk(k, dim=1).indices
        hit += (top == torch.arange(len(top)).unsqueeze(1)).any(1).sum().item()
        n += len(top)
    return hit / n


def smooth(steps, beta=0.9):
    m = None
    for st in steps:
        m = st.loss if m is None else beta * m + (1 - beta) * st.loss
        if st.idx % 30 == 29:
            print(f"{st.idx:3d} smoothed {m:.4f}")
    return m


def report(session):
    head, tail = itertools.tee(session)  # <- culprit
    final = smooth(head)
    return final, recall_at(tail)


def main():
    model = Retrieval(60, 40)
    final, recall = report(Session(model, Clicks(60, 40), steps=120))
    print(f"final {final:.4f} recall@3 {recall:.3f}")


if __name__ == "__main__":
    main()
