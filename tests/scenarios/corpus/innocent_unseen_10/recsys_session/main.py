# gradwatch-corpus: kind=none
"""Session recommender with states that go on from visit to visit: each batch holds the next three clicks of some
users, whose state is read from the store, moved on, and written back."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch
import torch.nn.functional as F
from torch import nn

from meters import Total, Window
from store import UserStateStore

N_USERS, N_ITEMS, DIM, CLICKS = 400, 120, 32, 3


class Visits:
    """Users walk through the catalogue with a stride of their own."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.stride = torch.randint(1, 6, (N_USERS,), generator=self.g)
        self.at = torch.randint(0, N_ITEMS, (N_USERS,), generator=self.g)

    def next(self, n):
        users = torch.randperm(N_USERS, generator=self.g)[:n]
        steps = torch.arange(CLICKS + 1)
        items = (self.at[users, None] + self.stride[users, None] * steps) % N_ITEMS
        self.at[users] = items[:, -1]
        return users, items


class SessionGRU(nn.Module):
    def __init__(self):
        super().__init__()
        self.items = nn.Embedding(N_ITEMS, DIM)
        self.cell = nn.GRUCell(DIM, DIM)

    def forward(self, items, state):
        logits = []
        for t in range(CLICKS):
            state = self.cell(self.items(items[:, t]), state)
            logits.append(state @ self.items.weight.t())
        return torch.stack(logits, dim=1), state


class Trainer:
    def __init__(self, steps=360, batch=40):
        torch.manual_seed(101)
        self.steps, self.batch = steps, batch
        self.model = SessionGRU()
        self.store = UserStateStore(N_USERS, DIM)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=5e-3)
        self.window, self.total = Window(50), Total()
        self.state = None

    def step(self, users, items):
        self.state = self.store.read(users)
        logits, self.state = self.model(items, self.state)
        loss = F.cross_entropy(logits.flatten(0, 1), items[:, 1:].flatten())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.store.write(users, self.state)
        for meter in (self.window, self.total):
            meter.add(loss)

    def fit(self):
        visits = Visits(seed=102)
        for i in range(1, self.steps + 1):
            self.step(*visits.next(self.batch))
            if i % 90 == 0:
                print(f"{i}: window {self.window.mean():.3f} total {self.total.mean():.3f} users seen {self.store.coverage():.2f}")


if __name__ == "__main__":
    Trainer().fit()
