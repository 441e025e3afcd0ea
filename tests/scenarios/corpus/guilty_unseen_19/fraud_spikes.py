# gradwatch-corpus: kind=graph-held
# holder: self.incidents | trainer.incidents | self.incidents[-1] | err | err.__traceback__ | self.incidents[-1].__traceback__ | trainer.incidents[i].__traceback__
# first-bad: 6
# notice: 50
"""Card-fraud scorer on batches of several payment providers. One of the providers delivers amounts
in cents now and then; the guard spots such batches and the trainer turns their weight down."""
import logging
from collections import Counter

import torch
from torch import nn

log = logging.getLogger("fraud")


class LossSpike(RuntimeError):
    def __init__(self, step: int, value: float, limit: float):
        super().__init__(f"loss {value:.2f} above {limit:.2f} in step {step}")
        self.step, self.value, self.limit = step, value, limit


class SpikeGuard:
    def __init__(self, factor: float = 4.0, momentum: float = 0.9):
        self.factor = factor
        self.momentum = momentum
        self.level: float | None = None

    def check(self, step: int, value: float) -> None:
        if self.level is None:
            self.level = value
        limit = self.factor * self.level
        if value > limit:
            raise LossSpike(step, value, limit)
        self.level = self.momentum * self.level + (1 - self.momentum) * value


class FeedMixer:
    """Round robin over six providers; the last one mixes up its units (and its labels)."""

    def __init__(self, seed: int, batch: int = 64, features: int = 20):
        self.gen = torch.Generator().manual_seed(seed)
        self.batch, self.features = batch, features
        self.w = torch.randn(features, generator=self.gen)
        self.turn = 0

    def __iter__(self):
        return self

    def __next__(self):
        provider = self.turn % 6
        self.turn += 1
        x = torch.randn(self.batch, self.features, generator=self.gen)
        y = ((x @ self.w) > 1.5).float()
        if provider == 5:
            x = x * 100.0
            y = (torch.rand(self.batch, generator=self.gen) < 0.5).float()
        return provider, x, y


class FraudTrainer:
    def __init__(self, steps: int = 420, lr: float = 1e-3):
        self.net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.crit = nn.BCEWithLogitsLoss()
        self.guard = SpikeGuard()
        self.steps = steps
        self.incidents: list[LossSpike] = []

    def train_step(self, step: int, x: torch.Tensor, y: torch.Tensor) -> float:
        logit = self.net(x).squeeze(1)
        loss = self.crit(logit, y)
        value = loss.item()
        weight = 1.0
        try:
            self.guard.check(step, value)
        except LossSpike as err:
            self.incidents.append(err)  # <- culprit
            weight = 0.1 * err.limit / err.value
        self.opt.zero_grad(set_to_none=True)
        (weight * loss).backward()
        self.opt.step()
        return value

    def fit(self, feed) -> None:
        per_provider: Counter[int] = Counter()
        recent = 0.0
        for step in range(self.steps):
            provider, x, y = next(feed)
            before = len(self.incidents)
            recent = 0.98 * recent + 0.02 * self.train_step(step, x, y)
            per_provider[provider] += len(self.incidents) - before
            if (step + 1) % 105 == 0:
                log.info("step %d: loss %.3f, spikes by provider %s", step + 1, recent, dict(+per_provider))

    def postmortem(self, last: int = 3) -> None:
        for err in self.incidents[-last:]:
            log.info("  %s", err)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    torch.manual_seed(77)
    trainer = FraudTrainer()
    trainer.fit(FeedMixer(seed=6))
    trainer.postmortem()
