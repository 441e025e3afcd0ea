# gradwatch-corpus: kind=crashed
# first-bad: 240
# notice: 0
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


class Table(nn.Module):
    """An id table that gets new rows as ids appear."""

    def __init__(self, rows, dim):
        super().__init__()
        self.rows = nn.Embedding(rows, dim)
        nn.init.normal_(self.rows.weight, std=0.1)

    def __len__(self):
        return self.rows.num_embeddings

    def ensure(self, rows):
        have, dim = self.rows.weight.shape
        if rows <= have:
            return False
        old = self.rows.weight.data
        start = old.mean(0) + 0.05 * torch.randn(rows - have, dim)
        self.rows = nn.Embedding.from_pretrained(torch.cat([old, start]))  # <- culprit
        return True

    def forward(self, ids):
        return self.rows(ids)


class Day:
    def __init__(self, number):
        self.users = 40 if number < 6 else 55
        self.items = 80 if number < 4 else 96

    def clicks(self, n):
        for _ in range(n):
            u = torch.randint(0, self.users, (24,))
            i = (u * 2 + torch.randint(0, 6, (24,))) % self.items
            j = torch.randint(0, self.items, (24,))
            yield u, i, j


class Recommender:
    def __init__(self, dim=12):
        self.users, self.items = Table(40, dim), Table(80, dim)
        self.reset()

    def reset(self):
        weights = [*self.users.parameters(), *self.items.parameters()]
        self.opt = torch.optim.Adagrad(weights, lr=0.05)

    def learn(self, day, n=40):
        if any([self.users.ensure(day.users), self.items.ensure(day.items)]):
            self.reset()
        run = 0.0
        for u, i, j in day.clicks(n):
            eu = self.users(u)
            gap = (eu * (self.items(i) - self.items(j))).sum(-1)
            loss = -F.logsigmoid(gap).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            run += loss.item() / n
        return run


torch.manual_seed(40)
rec = Recommender()
for number in range(12):
    print("day", number, round(rec.learn(Day(number)), 4))
