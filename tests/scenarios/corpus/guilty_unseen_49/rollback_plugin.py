# gradwatch-corpus: kind=memory-climb
# holder: self._points | rollback._points | self.plugins[0]._points | guard._points
# first-bad: 1
# notice: 100
import math
import time
from dataclasses import dataclass, field
from typing import Dict, List, Optional

import torch
from torch import nn


@dataclass
class RestorePoint:
    step: int
    loss: float
    weights: Dict[str, torch.Tensor] = field(repr=False)
    taken_at: float = field(default_factory=time.time)


class TrainerPlugin:
    priority = 0

    def attach(self, trainer: "Trainer") -> "TrainerPlugin":
        self.trainer = trainer
        return self

    def after_step(self, loss: float) -> None:
        pass


class RollbackGuard(TrainerPlugin):
    """Goes back to a good state when the loss explodes."""
    priority = 10

    def __init__(self, factor: float = 8.0):
        self.factor = factor
        self._points: List[RestorePoint] = []
        self.rollbacks = 0

    @property
    def last_good(self) -> Optional[RestorePoint]:
        return self._points[-1] if self._points else None

    def after_step(self, loss: float) -> None:
        good = self.last_good
        if good and (math.isnan(loss) or loss > self.factor * good.loss + 1.0):
            self.trainer.model.load_state_dict(good.weights)
            self.rollbacks += 1
            return
        self._points.append(self._take(loss))  # <- culprit

    def _take(self, loss: float) -> RestorePoint:
        state = self.trainer.model.state_dict()
        return RestorePoint(self.trainer.step_no, loss, {k: t.clone() for k, t in state.items()})


class Printer(TrainerPlugin):
    def after_step(self, loss: float) -> None:
        if self.trainer.step_no % 40 == 0:
            print(f"step {self.trainer.step_no:4d}: {loss:.4f}")


class Trainer:
    def __init__(self, model: nn.Module, plugins: List[TrainerPlugin], lr: float = 1e-3):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.plugins = sorted((p.attach(self) for p in plugins), key=lambda p: -p.priority)
        self.step_no = 0

    def train(self, batches) -> None:
        for x, y in batches:
            self.opt.zero_grad()
            loss = nn.functional.cross_entropy(self.model(x), y)
            loss.backward()
            self.opt.step()
            self.step_no += 1
            for p in self.plugins:
                p.after_step(loss.item())


def sku_batches(n: int):
    proto = torch.randn(16, 96)
    for _ in range(n):
        y = torch.randint(16, (32,))
        yield proto[y] + 2 * torch.randn(32, 96), y


def main() -> None:
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(96, 320), nn.ReLU(), nn.Linear(320, 160), nn.ReLU(), nn.Linear(160, 16))
    guard = RollbackGuard()
    Trainer(model, [Printer(), guard]).train(sku_batches(200))
    print("rollbacks:", guard.rollbacks, "last good step:", guard.last_good.step)


if __name__ == "__main__":
    main()
