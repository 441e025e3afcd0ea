# gradwatch-corpus: kind=graph-held
# holder: self.improvements | stopper.improvements | self.best | stopper.best
# first-bad: 1
from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

torch.set_num_threads(1)


@dataclass
class EarlyStopping:
    patience: int = 60
    min_delta: float = 0.0
    best: Tensor | None = None
    bad_steps: int = 0
    improvements: list[tuple[int, Tensor]] = field(default_factory=list)

    def update(self, step: int, value: Tensor) -> bool:
        if self.best is None or value < self.best - self.min_delta:
            self.best = value  # <- culprit
            self.improvements.append((step, value))  # <- culprit
            self.bad_steps = 0
        else:
            self.bad_steps += 1
        return self.bad_steps >= self.patience


class AutoEncoder(nn.Module):
    def __init__(self, dim: int, code: int) -> None:
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(dim, 32), nn.ELU(), nn.Linear(32, code))
        self.dec = nn.Sequential(nn.Linear(code, 32), nn.ELU(), nn.Linear(32, dim))

    def forward(self, x: Tensor) -> Tensor:
        return self.dec(self.enc(x))


class Trainer:
    def __init__(self, model: nn.Module, stopper: EarlyStopping, lr: float = 2e-3) -> None:
        self.model = model
        self.stopper = stopper
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def step(self, batch: Tensor) -> Tensor:
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.model(batch), batch)
        loss.backward()
        self.optimizer.step()
        return loss  # <- culprit

    def fit(self, data: Tensor, max_steps: int) -> int:
        for step in range(max_steps):
            loss = self.step(data)
            if self.stopper.update(step, loss):  # <- culprit
                print(f"stopping at {step}")
                return step
            if step % 40 == 0:
                print(f"step {step:4d} mse {loss.item():.5f}")
        return max_steps


def correlated(n: int, dim: int, rank: int) -> Tensor:
    g = torch.Generator().manual_seed(21)
    return torch.randn(n, rank, generator=g) @ torch.randn(rank, dim, generator=g) / rank ** 0.5


def main() -> None:
    torch.manual_seed(21)
    data = correlated(128, 24, 4)
    stopper = EarlyStopping(patience=25)
    trainer = Trainer(AutoEncoder(24, 4), stopper)
    last = trainer.fit(data, 200)
    step, value = stopper.improvements[-1]
    print(f"ran {last} steps; best {value.item():.5f} at step {step}")


if __name__ == "__main__":
    main()
