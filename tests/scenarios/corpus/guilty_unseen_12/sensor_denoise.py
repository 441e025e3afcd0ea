# gradwatch-corpus: kind=graph-held
# holder: self.records | report.records | record.args | report.records[i].args | self.records[i].args | RunReport.records
# first-bad: 1
"""Denoising autoencoder for accelerometer windows. The run's log goes to the console (INFO)
and into a table for the shift report (everything)."""
import logging
import math
from dataclasses import dataclass, field
from typing import Iterator, List

import torch
import torch.nn.functional as F
from torch import Tensor, nn

log = logging.getLogger("denoise")


class RunReport(logging.Handler):
    """Collects the records of one run and lays them out at its end."""

    def __init__(self, title: str, level: int = logging.DEBUG) -> None:
        super().__init__(level)
        self.title = title
        self.records: List[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)  # <- culprit

    def render(self, every: int = 60) -> str:
        rows = [r for r in self.records if r.levelno == logging.DEBUG][::every]
        head = f"== {self.title}: {len(self.records)} records =="
        return "\n".join([head, *(f"  {r.relativeCreated:9.0f} ms  {r.getMessage()}" for r in rows)])


@dataclass
class OptimSettings:
    lr: float = 2e-3
    weight_decay: float = 1e-4
    clip: float = 1.0


@dataclass
class Settings:
    window: int = 64
    hidden: int = 48
    batch: int = 32
    iterations: int = 250
    noise: float = 0.3
    optim: OptimSettings = field(default_factory=OptimSettings)


def windows(s: Settings, seed: int = 3) -> Iterator[Tensor]:
    gen = torch.Generator().manual_seed(seed)
    t = torch.linspace(0, 1, s.window)
    while True:
        freq = 1 + 5 * torch.rand(s.batch, 1, generator=gen)
        phase = 2 * math.pi * torch.rand(s.batch, 1, generator=gen)
        yield torch.sin(2 * math.pi * freq * t + phase)


class Denoiser(nn.Module):
    def __init__(self, s: Settings) -> None:
        super().__init__()
        self.enc = nn.Sequential(nn.Conv1d(1, 8, 7, padding=3, stride=2), nn.GELU(), nn.Flatten(),
                                 nn.Linear(8 * s.window // 2, s.hidden))
        self.dec = nn.Sequential(nn.GELU(), nn.Linear(s.hidden, s.window))

    def forward(self, x: Tensor) -> Tensor:
        return self.dec(self.enc(x.unsqueeze(1)))


class LoggingMixin:
    """Gives a trainer its uniform lines."""

    def line(self, step: int, level: int = logging.DEBUG, **scalars) -> None:
        fmt = "it %04d " + " ".join(f"{k}=%.4f" for k in scalars)
        log.log(level, fmt, step, *scalars.values())  # <- culprit


class Trainer(LoggingMixin):
    def __init__(self, s: Settings) -> None:
        torch.manual_seed(0)
        self.s = s
        self.net = Denoiser(s)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=s.optim.lr,
                                     weight_decay=s.optim.weight_decay)
        self.noise_gen = torch.Generator().manual_seed(9)

    def iteration(self, step: int, clean: Tensor) -> float:
        noisy = clean + self.s.noise * torch.randn(clean.shape, generator=self.noise_gen)
        restored = self.net(noisy)
        fidelity = F.mse_loss(restored, clean)
        smooth = (restored[:, 1:] - restored[:, :-1]).abs().mean()
        loss = fidelity + 0.01 * smooth
        self.opt.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), self.s.optim.clip)
        self.opt.step()
        self.line(step, mse=fidelity, norm=norm.item())  # <- culprit
        return loss.item()

    def run(self) -> float:
        value = float("nan")
        for step, clean in zip(range(self.s.iterations), windows(self.s)):
            value = self.iteration(step, clean)
            if step % 100 == 0:
                self.line(step, logging.INFO, loss=value)
        return value


def main() -> None:
    console = logging.StreamHandler()
    console.setLevel(logging.INFO)
    report = RunReport("accelerometer denoiser")
    log.setLevel(logging.DEBUG)
    log.propagate = False
    log.addHandler(console)
    log.addHandler(report)
    final = Trainer(Settings()).run()
    print(report.render())
    print(f"final loss {final:.4f}")


if __name__ == "__main__":
    main()
