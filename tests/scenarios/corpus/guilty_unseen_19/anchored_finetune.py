# gradwatch-corpus: kind=graph-chain
# holder: self.avg | self.avg[name] | anchor.avg | anchor.avg[name] | task.anchor.avg | self.anchor.avg | avg | tuner.regularisers[1].avg
# first-bad: 1
"""Fine-tuning a small regressor on drifting sensor data with a proximal pull toward the running average
of its own weights, which keeps it from chasing every day's offset."""
import abc
import logging
import sys

import torch
from torch import nn

log = logging.getLogger("finetune")


class Regulariser(abc.ABC):
    @abc.abstractmethod
    def cost(self, model): ...

    def after_step(self, model):
        pass


class WeightDecay(Regulariser):
    def __init__(self, lam):
        self.lam = lam

    def cost(self, model):
        return self.lam * sum(p.square().sum() for p in model.parameters())


class RunningAnchor(Regulariser):
    def __init__(self, model, lam, rate):
        self.lam, self.rate = lam, rate
        self.avg = {name: p.detach().clone() for name, p in model.named_parameters()}

    def cost(self, model):
        dist = [(p - self.avg[name]).square().sum() for name, p in model.named_parameters()]
        return self.lam * torch.stack(dist).sum()

    def after_step(self, model):
        for name, p in model.named_parameters():
            self.avg[name] = torch.lerp(self.avg[name], p, self.rate)  # <- culprit


class DriftingSensor(torch.utils.data.IterableDataset):
    def __init__(self, days, per_day, channels=8):
        self.days, self.per_day, self.channels = days, per_day, channels

    def __iter__(self):
        g = torch.Generator().manual_seed(77)
        w = torch.randn(self.channels, generator=g)
        offset = torch.zeros(())
        for _ in range(self.days):
            offset = 0.9 * offset + 0.4 * torch.randn((), generator=g)
            w = w + 0.03 * torch.randn(self.channels, generator=g)
            for _ in range(self.per_day):
                x = torch.randn(self.channels, generator=g)
                yield x, (x @ w).tanh() + offset + 0.05 * torch.randn((), generator=g)


class Finetuner:
    def __init__(self, model, regularisers, lr):
        self.model = model
        self.regularisers = regularisers
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.5, nesterov=True)
        self.n = 0

    def objective(self, x, y):
        fit = nn.functional.huber_loss(self.model(x).squeeze(-1), y)
        return fit, fit + sum(r.cost(self.model) for r in self.regularisers)

    def step(self, x, y):
        fit, total = self.objective(x, y)
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        for r in self.regularisers:
            r.after_step(self.model)
        self.n += 1
        return fit.item()


def main():
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(name)s %(message)s")
    torch.manual_seed(77)
    model = nn.Sequential(nn.Linear(8, 40), nn.ELU(), nn.Linear(40, 1))
    tuner = Finetuner(model, [WeightDecay(1e-5), RunningAnchor(model, lam=0.05, rate=0.02)], lr=0.05)
    loader = torch.utils.data.DataLoader(DriftingSensor(days=50, per_day=160), batch_size=32)
    acc = 0.0
    for x, y in loader:
        acc += tuner.step(x, y)
        if tuner.n % 50 == 0:
            log.info("step %d mean fit %.4f", tuner.n, acc / 50)
            acc = 0.0


if __name__ == "__main__":
    main()
