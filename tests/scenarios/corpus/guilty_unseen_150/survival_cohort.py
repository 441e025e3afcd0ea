# gradwatch-corpus: kind=graph-held
# holder: record.curve | self.curve | RunRecord.curve
# first-bad: 1
# notice: 8
"""Cox model on a synthetic cohort, with a run record for the report."""
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import nn

torch.manual_seed(11)
torch.set_num_threads(1)


@dataclass
class Point:
    step: int
    loss: torch.Tensor
    n_events: int


@dataclass
class RunRecord:
    name: str
    curve: list = field(default_factory=list)

    def log(self, step, loss, n_events):
        self.curve.append(Point(step, loss, n_events))  # <- culprit

    def summary(self, last=10):
        tail = [float(p.loss) for p in self.curve[-last:]]
        return f"{self.name}: {np.mean(tail):.4f} over {sum(p.n_events for p in self.curve)} events"


class RiskNet(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_features, 24), nn.SELU(), nn.Linear(24, 12), nn.SELU())
        self.out = nn.Linear(12, 1, bias=False)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)


def partial_likelihood(risk, time, event):
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    return -((risk - torch.logcumsumexp(risk, 0)) * event).sum() / event.sum().clamp(min=1)


def cohort(n=900, d=10):
    x = torch.randn(n, d)
    hazard = (x[:, 0] - 0.5 * x[:, 1] * x[:, 2]).exp()
    t = torch.distributions.Exponential(hazard).sample()
    c = torch.distributions.Exponential(torch.full((n,), 0.3)).sample()
    return x, torch.minimum(t, c), (t <= c).float()


def main():
    x, time, event = cohort()
    model = RiskNet(x.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    record = RunRecord("cox")
    step = 0
    for epoch in range(8):
        for idx in torch.randperm(len(x)).split(60):
            loss = partial_likelihood(model(x[idx]), time[idx], event[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            record.log(step, loss, int(event[idx].sum()))  # <- culprit
            step += 1
        print(epoch, record.summary())


if __name__ == "__main__":
    main()
