# gradwatch-corpus: kind=none
"""Session ranker; user state and a moving loss baseline live in managed slots."""
from abc import ABC
from abc import abstractmethod
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint


class Slot:
    """Descriptor for values carried from one update to the next."""

    def __set_name__(self, owner, name):
        self.key = name

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return obj.slots.get(self.key)

    def __set__(self, obj, value):
        if isinstance(value, torch.Tensor):
            value = value.detach()
        obj.slots[self.key] = value


class StatefulEngine(ABC):
    def __init__(self):
        self.slots = {}
        self.listeners = []

    @abstractmethod
    def update(self):
        ...

    def run(self, n):
        for index in range(n):
            value = self.update()
            for listener in self.listeners:
                listener(index, value)


@dataclass
class SessionSpec:
    users: int = 16
    items: int = 90
    dim: int = 24
    clicks: int = 5
    updates: int = 110
    lr: float = 3e-3


class SessionRanker(nn.Module):
    def __init__(self, spec):
        super().__init__()
        self.items = nn.Embedding(spec.items, spec.dim)
        self.reader = nn.GRUCell(spec.dim, spec.dim)
        self.mlp = nn.Sequential(nn.Linear(spec.dim, 64), nn.GELU(), nn.Linear(64, spec.dim))

    def forward(self, clicks, state):
        for t in range(clicks.size(1)):
            state = self.reader(self.items(clicks[:, t]), state)
        query = state + checkpoint(self.mlp, state, use_reentrant=False)
        return query @ self.items.weight.t(), state


class RankerEngine(StatefulEngine):
    user_state = Slot()
    baseline = Slot()

    def __init__(self, spec):
        super().__init__()
        self.spec = spec
        self.model = SessionRanker(spec)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=spec.lr)
        self.gen = torch.Generator().manual_seed(24)
        self.user_state = torch.zeros(spec.users, spec.dim)

    def draw(self):
        start = torch.randint(self.spec.items, (self.spec.users, 1), generator=self.gen)
        walk = (start + 3 * torch.arange(self.spec.clicks + 1)) % self.spec.items
        return walk[:, :-1], walk[:, -1]

    def update(self):
        clicks, target = self.draw()
        scores, state = self.model(clicks, self.user_state)
        per_user = F.cross_entropy(scores, target, reduction="none")
        if self.baseline is None:
            self.baseline = per_user.mean()
        focus = torch.sigmoid(per_user.detach() - self.baseline) + 0.5
        loss = (focus * per_user).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.user_state = state
        self.baseline = 0.9 * self.baseline + 0.1 * per_user.mean()
        return loss.item()


def main():
    torch.manual_seed(25)
    spec = SessionSpec()
    engine = RankerEngine(spec)
    best = {"loss": float("inf")}

    def track(index, value):
        best["loss"] = min(best["loss"], value)
        if index % 22 == 0:
            print(f"update {index:3d} loss {value:.4f} best {best['loss']:.4f}")

    engine.listeners.append(track)
    engine.run(spec.updates)


if __name__ == "__main__":
    main()
