# gradwatch-corpus: kind=graph-held
# holder: self.rejected | fitter.rejected
# first-bad: 1
# also: graph-unused
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn


class SpikeError(ValueError):
    def __init__(self, value, limit):
        super().__init__(f"chunk loss {value:.1f} above {limit:.1f}")
        self.value = value


@dataclass
class Fitter:
    net: nn.Module
    lr: float = 1e-2
    limit: float = 25.0
    chunks: int = 4
    rejected: list = field(default_factory=list)

    def __post_init__(self):
        self.opt = torch.optim.Adagrad(self.net.parameters(), lr=self.lr)

    def chunk_loss(self, x, y):
        pred = self.net(x)
        loss = F.mse_loss(pred, y)
        value = loss.item()
        if value > self.limit:
            raise SpikeError(value, self.limit)
        return loss

    def step(self, i, x, y):
        self.opt.zero_grad()
        used, total = 0, 0.0
        for xs, ys in zip(x.chunk(self.chunks), y.chunk(self.chunks)):
            try:
                loss = self.chunk_loss(xs, ys)
            except SpikeError as err:
                self.rejected.append((i, err))  # <- culprit
                continue
            (loss / self.chunks).backward()
            used += 1
            total += loss.item()
        self.opt.step()
        return total / max(used, 1)

    def report(self):
        if not self.rejected:
            return "no chunk rejected"
        worst_at, worst = max(self.rejected, key=lambda r: r[1].value)
        return f"{len(self.rejected)} chunks rejected, worst at step {worst_at}: {worst}"


def sensor_batches(n, size=32, width=12, seed=2):
    """One quarter of each batch comes from the sensor with the loose wire."""
    g = torch.Generator().manual_seed(seed)
    true = torch.randn(width, 2, generator=g)
    for i in range(n):
        x = torch.randn(size, width, generator=g)
        y = torch.tanh(x @ true)
        q = size // 4
        bad = int(torch.randint(0, 4, (1,), generator=g))
        y[bad * q:(bad + 1) * q] += 40.0
        yield i, x, y


def build(width=12):
    return nn.Sequential(
        nn.Linear(width, 48), nn.ReLU(),
        nn.Linear(48, 48), nn.ReLU(),
        nn.Linear(48, 2),
    )


if __name__ == "__main__":
    torch.manual_seed(0)
    fitter = Fitter(build())
    for i, x, y in sensor_batches(110):
        avg = fitter.step(i, x, y)
        if i % 25 == 0:
            print(f"step {i:3d}: {avg:.4f}")
    print(fitter.report())
