# gradwatch-corpus: kind=memory-climb
# holder: guard.snapshots | self.snapshots | trainer.guard.snapshots | self.guard.snapshots
"""Regression of a synthetic sensor field, with a guard that rolls back when the loss explodes."""
import math

import torch
from torch import nn

torch.manual_seed(4)
torch.set_num_threads(1)

FIELD, WIDTH, BATCH, STEPS = 64, 320, 384, 200


class FieldNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(FIELD, WIDTH)
        self.mid = nn.Linear(WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, 8)

    def forward(self, x):
        h = torch.relu(self.inp(x))
        h = h + torch.tanh(self.mid(h))
        return self.out(h)


class RollbackGuard:
    """Remembers good weights; goes back to them when a step spoils the fit."""

    def __init__(self, model, factor=4.0):
        self.model = model
        self.factor = factor
        self.snapshots = {}
        self.best = math.inf
        self.best_step = None
        self.rollbacks = 0

    def commit(self, step, loss):
        state = {k: v.detach().clone() for k, v in self.model.state_dict().items()}
        self.snapshots[step] = state  # <- culprit
        if loss < self.best:
            self.best, self.best_step = loss, step

    def check(self, step, loss):
        if self.best_step is not None and loss > self.factor * self.best + 5.0:
            self.model.load_state_dict(self.snapshots[self.best_step])
            self.rollbacks += 1
            return False
        self.commit(step, loss)
        return True


class Trainer:
    def __init__(self):
        self.model = FieldNet()
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.02, momentum=0.9)
        self.guard = RollbackGuard(self.model)
        self.mixing = torch.randn(FIELD, 8) / FIELD ** 0.5

    def batch(self):
        x = torch.randn(BATCH, FIELD)
        return x, torch.sin(x @ self.mixing)

    def step(self, i):
        x, y = self.batch()
        self.opt.zero_grad()
        loss = nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        self.opt.step()
        value = loss.item()
        self.guard.check(i, value)
        return value

    def run(self):
        for i in range(STEPS):
            value = self.step(i)
            if i % 40 == 0:
                print(f"step {i:4d}  mse {value:.4f}  best {self.guard.best:.4f}")
        print("rollbacks", self.guard.rollbacks)


if __name__ == "__main__":
    trainer = Trainer()
    trainer.run()
