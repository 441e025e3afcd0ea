# gradwatch-corpus: kind=graph-held
# holder: self.errors | trainer.errors | errors | self.errors[-1] | e.__traceback__
# also: graph-unused
"""Training that must not die on a bad batch: errors are collected and reported at the end."""
import torch
from torch import nn


class NonFiniteLoss(ValueError):
    pass


def check(loss, step):
    if not torch.isfinite(loss):
        raise NonFiniteLoss(f"loss is {loss.item()} at step {step}")
    return loss


class RobustTrainer:
    def __init__(self, model, lr=1e-2):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=lr)
        self.errors = []

    def compute_loss(self, x, y):
        pred = self.model(x)
        return ((pred - y) ** 2).mean()

    def train_step(self, step, x, y):
        for part, (xs, ys) in enumerate(zip(x.chunk(2), y.chunk(2))):
            try:
                loss = check(self.compute_loss(xs, ys), step)
            except NonFiniteLoss as e:
                self.errors.append((step, part, e))  # <- culprit
                continue
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()

    def report(self):
        for step, part, e in self.errors[:3]:
            print(f"step {step} part {part}: {type(e).__name__}: {e}")
        print(len(self.errors), "errors")


torch.manual_seed(4)
mlp = nn.Sequential(nn.Linear(30, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 1))
trainer = RobustTrainer(mlp)
for step in range(180):
    x = torch.randn(128, 30)
    y = x.sum(1, keepdim=True)
    x[100, 3] = float("nan")  # broken sensor in the second half of every batch
    trainer.train_step(step, x, y)
trainer.report()
