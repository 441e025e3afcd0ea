# gradwatch-corpus: kind=graph-held
# holder: records | self.records | run.records
# about: dataclass records with a loss in them, for a table at the end
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn


@dataclass
class StepRecord:
    step: int
    loss: Tensor
    grad_norm: float


@dataclass
class Run:
    name: str
    records: list[StepRecord] = field(default_factory=list)

    def summary(self):
        best = min(self.records, key=lambda r: r.loss.item())
        return f"{self.name}: best loss {best.loss.item():.4f} at step {best.step}"


def grad_norm(model):
    return sum(p.grad.norm().item() ** 2 for p in model.parameters()) ** 0.5


def training(model, run, steps):
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
    for step in range(steps):
        x = torch.randn(16, 6)
        loss = (model(x).squeeze(1) - x.norm(dim=1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        run.records.append(StepRecord(step, loss, grad_norm(model)))  # <- culprit
        optimizer.step()


if __name__ == "__main__":
    torch.manual_seed(0)
    run = Run("adagrad")
    training(nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1)), run, 60)
    print(run.summary())
