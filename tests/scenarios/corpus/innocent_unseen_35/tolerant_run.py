# gradwatch-corpus: kind=none
import traceback
from typing import NamedTuple

import torch
from torch import nn


class BadBatch(Exception):
    pass


class Incident(NamedTuple):
    step: int
    error: Exception
    where: str


class Incidents(list):
    def file(self, step, error):
        where = traceback.extract_tb(error.__traceback__)[-1].name
        self.append(Incident(step, error.with_traceback(None), where))


def outlier_batches(count, gen, slope):
    for _ in range(count):
        x = torch.randn(40, 6, generator=gen)
        y = x @ slope
        if torch.rand((), generator=gen) < 0.08:
            y = y + 30
        yield x, y


def checked(losses, limit):
    if losses.median() > limit:
        raise BadBatch(f"median loss {losses.median().item():.1f}")
    return losses.mean()


class RobustFit:
    def __init__(self, limit):
        self.net = nn.Sequential(nn.Linear(6, 32), nn.Mish(), nn.Linear(32, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)
        self.limit = limit
        self.incidents = Incidents()
        self.losses = []

    def one(self, x, y):
        residual = self.net(x).squeeze(1) - y
        loss = checked(residual.square(), self.limit)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.losses.append(float(loss.detach()))

    def fit(self, batches):
        for step, (x, y) in enumerate(batches):
            try:
                self.one(x, y)
            except BadBatch as error:
                self.incidents.file(step, error)
            if step % 40 == 39:
                print(f"step {step + 1}: loss {self.losses[-1]:.4f}, refused {len(self.incidents)}")
        return self


def main():
    torch.manual_seed(20)
    gen = torch.Generator().manual_seed(9)
    slope = torch.randn(6, generator=gen)
    job = RobustFit(limit=60.0).fit(outlier_batches(160, gen, slope))
    for incident in job.incidents[:3]:
        print(f"  step {incident.step} in {incident.where}: {incident.error}")


if __name__ == "__main__":
    main()
