# gradwatch-corpus: kind=none
import torch
from torch import nn

from events import EventBus, StepFinished
from observers import Curve, Hardest

STEPS, BATCH, FIELDS = 100, 48, 12


class YieldModel(nn.Module):
    """Crop yield with a predicted error bar."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(FIELDS, 40), nn.SiLU(), nn.Linear(40, 40), nn.SiLU())
        self.mean = nn.Linear(40, 1)
        self.log_var = nn.Linear(40, 1)

    def forward(self, x):
        h = self.body(x)
        return self.mean(h).squeeze(1), self.log_var(h).squeeze(1)


class Trainer:
    def __init__(self, model, bus):
        self.model = model
        self.bus = bus
        self.opt = torch.optim.Adam(model.parameters(), lr=3e-3)

    def step(self, number, x, y):
        mean, log_var = self.model(x)
        per_sample = 0.5 * (log_var + (y - mean).square() * torch.exp(-log_var))
        loss = per_sample.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.bus.emit(StepFinished(number, {"loss": loss, "per_sample": per_sample, "sigma": log_var.exp().sqrt()}))


def harvest(seed):
    gen = torch.Generator().manual_seed(seed)
    effect = torch.randn(FIELDS, generator=gen) / 3
    for _ in range(STEPS):
        x = torch.randn(BATCH, FIELDS, generator=gen)
        noise = 0.1 + 0.4 * x[:, 0].sigmoid()
        yield x, x @ effect + noise * torch.randn(BATCH, generator=gen)


def main():
    torch.manual_seed(1)
    bus = EventBus()
    curve, hardest = Curve(), Hardest(k=5)
    bus.listen(StepFinished, curve)
    bus.listen(StepFinished, hardest)
    trainer = Trainer(YieldModel(), bus)
    for number, (x, y) in enumerate(harvest(3)):
        trainer.step(number, x, y)
        if number % 25 == 24:
            print(f"step {number + 1}: {curve.summary(25)}")
    print("hardest batches:", hardest.steps())


if __name__ == "__main__":
    main()
