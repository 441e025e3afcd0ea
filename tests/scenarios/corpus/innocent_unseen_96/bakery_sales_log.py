# gradwatch-corpus: kind=none
"""Bakery sales regression. A logging thread collects one row per step; the last few losses steer the step size."""
import queue
import threading
from collections import deque
from dataclasses import asdict, dataclass

import torch
from torch import nn


@dataclass
class Row:
    step: int
    loss: float
    residual: torch.Tensor
    lr: float


class LogThread(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.inbox = queue.Queue()
        self.rows = []

    def run(self):
        while (row := self.inbox.get()) is not None:
            self.rows.append(asdict(row))

    def __call__(self, **fields):
        self.inbox.put(Row(**fields))

    def finish(self):
        self.inbox.put(None)
        self.join()
        return self.rows


class RecentLosses:
    """Keeps the last `n` loss tensors as they are and answers trend questions."""

    def __init__(self, n):
        self.window = deque(maxlen=n)

    def __iadd__(self, loss):
        self.window.append(loss)
        return self

    @property
    def full(self):
        return len(self.window) == self.window.maxlen

    @property
    def falling(self):
        half = len(self.window) // 2
        values = torch.stack(list(self.window))
        return bool(values[half:].mean() < values[:half].mean())


def day(gen, n=32):
    x = torch.randn(n, 7, generator=gen)
    y = 1.5 * x[:, :1] - x[:, 1:2] * (x[:, 2:3] > 0) + 0.1 * torch.randn(n, 1, generator=gen)
    return x, y


def main():
    torch.set_num_threads(1)
    torch.manual_seed(14)
    gen = torch.Generator().manual_seed(140)
    net = nn.Sequential(nn.Linear(7, 24), nn.ReLU(), nn.Linear(24, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    log, recent = LogThread(), RecentLosses(24)
    log.start()
    for step in range(500):
        x, y = day(gen)
        pred = net(x)
        loss = nn.functional.smooth_l1_loss(pred, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        recent += loss
        lr = opt.param_groups[0]["lr"]
        log(step=step, loss=loss.item(), residual=(pred - y).detach().abs().mean(0), lr=lr)
        if step % 60 == 59 and recent.full and not recent.falling:
            opt.param_groups[0]["lr"] = lr * 0.7
    rows = log.finish()
    for r in rows[::100]:
        print(f"{r['step']:4d} {r['loss']:.4f} |r|={r['residual'].item():.4f} lr={r['lr']:.4f}")


if __name__ == "__main__":
    main()
