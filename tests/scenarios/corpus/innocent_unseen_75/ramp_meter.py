# gradwatch-corpus: kind=none
"""Ramp-metering demand model; metrics go to a writer thread over a bounded queue."""
import queue
import threading
from collections import deque
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Generic, Optional, TypeVar

import torch
from torch import Tensor, nn

Payload = TypeVar("Payload")


@dataclass
class Record(Generic[Payload]):
    step: int
    payload: Payload


class WriterThread(threading.Thread, Generic[Payload]):
    def __init__(self, capacity: int) -> None:
        super().__init__(name="metric-writer", daemon=True)
        self.inbox: "queue.Queue[Optional[Record[Payload]]]" = queue.Queue(maxsize=capacity)
        self.rows: list[tuple[int, float]] = []

    def convert(self, payload: Payload) -> float:
        raise NotImplementedError

    def run(self) -> None:
        while (record := self.inbox.get()) is not None:
            self.rows.append((record.step, self.convert(record.payload)))
            del record


class LossWriter(WriterThread[Tensor]):
    def convert(self, payload: Tensor) -> float:
        return payload.mean().item()


class Session(AbstractContextManager):
    """Lifetime of the writer; `log` blocks as soon as the writer is too far behind."""

    def __init__(self, writer: WriterThread) -> None:
        self.writer = writer

    def __enter__(self) -> "Session":
        self.writer.start()
        return self

    def log(self, step: int, payload: Tensor) -> None:
        self.writer.inbox.put(Record(step, payload))

    def __exit__(self, *exc) -> None:
        self.writer.inbox.put(None)
        self.writer.join()


class DemandNet(nn.Module):
    def __init__(self, lanes: int, lags: int, width: int = 24) -> None:
        super().__init__()
        self.temporal = nn.Conv1d(lanes, width, lags)
        self.attend = nn.MultiheadAttention(width, 2, batch_first=True)
        self.out = nn.Linear(width, lanes)

    def forward(self, counts: Tensor) -> Tensor:
        h = torch.relu(self.temporal(counts)).transpose(1, 2)
        a, _ = self.attend(h, h, h, need_weights=False)
        return self.out((h + a).mean(1))


class PlateauGuard:
    """Compares the last few losses with the few before and halves the rate if nothing was gained."""

    def __init__(self, optimizer: torch.optim.Optimizer, span: int = 12) -> None:
        self.optimizer = optimizer
        self.recent: deque[Tensor] = deque(maxlen=2 * span)
        self.span = span
        self.cuts = 0

    def __call__(self, per_sample: Tensor) -> None:
        self.recent.append(per_sample.detach().mean())
        if len(self.recent) < 2 * self.span:
            return
        values = torch.stack(tuple(self.recent))
        older, newer = values[: self.span].mean(), values[self.span:].mean()
        if newer > 0.999 * older:
            for group in self.optimizer.param_groups:
                group["lr"] *= 0.5
            self.cuts += 1
            self.recent.clear()


def counts(lanes: int, lags: int, steps: int):
    g = torch.Generator().manual_seed(8)
    t = torch.arange(lags + 4).float()
    for _ in range(steps):
        phase = 6.28 * torch.rand(16, lanes, 1, generator=g)
        series = 1 + torch.sin(0.4 * t + phase) + 0.1 * torch.randn(16, lanes, lags + 4, generator=g)
        yield series[..., :-1], series[..., -1]


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(8)
    lanes, lags = 3, 6
    net = DemandNet(lanes, lags)
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    guard = PlateauGuard(opt)
    writer = LossWriter(capacity=4)
    with Session(writer) as session:
        for step, (past, nxt) in enumerate(counts(lanes, lags, steps=220)):
            per_sample = (net(past) - nxt).pow(2).mean(1)
            opt.zero_grad()
            per_sample.mean().backward()
            opt.step()
            session.log(step, per_sample)
            guard(per_sample)
    tail = [v for _, v in writer.rows[-20:]]
    print(f"{len(writer.rows)} rows, last 20 average {sum(tail) / len(tail):.4f}, rate cut {guard.cuts} times")


if __name__ == "__main__":
    main()
