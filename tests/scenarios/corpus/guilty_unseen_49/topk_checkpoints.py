# gradwatch-corpus: kind=graph-held
# holder: self._kept | self.ckpt._kept | ckpt._kept | trainer.ckpt._kept
# first-bad: 1
import copy
import math
from dataclasses import dataclass, field
from typing import Any, Dict, List

import torch
from torch import nn, optim


@dataclass(order=True)
class Snapshot:
    score: Any
    step: int = field(compare=False)
    weights: Dict[str, torch.Tensor] = field(compare=False, repr=False)


class CheckpointManager:
    """Keeps the weights of the `keep` best steps in memory."""

    def __init__(self, keep: int = 6) -> None:
        self.keep = keep
        self._kept: List[Snapshot] = []

    def offer(self, score, step: int, model: nn.Module) -> bool:
        if len(self._kept) == self.keep and score >= self._kept[-1].score:
            return False
        weights = {k: v.detach().clone() for k, v in model.state_dict().items()}
        self._kept.append(Snapshot(score, step, weights))  # <- culprit
        self._kept.sort()
        del self._kept[self.keep:]
        return True

    @property
    def best(self) -> Snapshot:
        return self._kept[0]

    def averaged(self) -> Dict[str, torch.Tensor]:
        out = copy.deepcopy(self.best.weights)
        for name in out:
            out[name] = torch.stack([s.weights[name] for s in self._kept]).mean(0)
        return out


class BaseTrainer:
    def __init__(self, model: nn.Module, lr: float) -> None:
        self.model = model
        self.optimizer = optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.global_step = 0

    def training_step(self, batch):
        raise NotImplementedError

    def on_step_end(self, loss) -> None:
        pass

    def fit(self, loader, epochs: int) -> None:
        for epoch in range(epochs):
            total = 0.0
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.training_step(batch)
                loss.backward()
                self.optimizer.step()
                total += loss.item()
                self.on_step_end(loss)
                self.global_step += 1
            print(f"epoch {epoch}: {total / len(loader):.5f}")


class CurveTrainer(BaseTrainer):
    def __init__(self, model, lr, keep) -> None:
        super().__init__(model, lr)
        self.ckpt = CheckpointManager(keep)
        self.criterion = nn.SmoothL1Loss()

    def training_step(self, batch):
        x, y = batch
        return self.criterion(self.model(x), y)

    def on_step_end(self, loss) -> None:
        self.ckpt.offer(loss, self.global_step, self.model)  # <- culprit


def demand_curve(n: int = 640):
    t = torch.rand(n, 1) * 4 - 2
    y = torch.sin(math.pi * t) + 0.2 * t + 0.15 * torch.randn(n, 1)
    return torch.utils.data.TensorDataset(t, y)


if __name__ == "__main__":
    torch.manual_seed(0)
    loader = torch.utils.data.DataLoader(demand_curve(), batch_size=32, shuffle=True)
    model = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
    trainer = CurveTrainer(model, lr=0.05, keep=6)
    trainer.fit(loader, epochs=5)
    best = trainer.ckpt.best
    print(f"best step {best.step} with {best.score.item():.5f}")
    model.load_state_dict(trainer.ckpt.averaged())
