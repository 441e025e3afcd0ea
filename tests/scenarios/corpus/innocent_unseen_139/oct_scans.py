# gradwatch-corpus: kind=none
# Retinal layer thickness from OCT columns, gradients accumulated over the scans of one eye.
from contextlib import contextmanager

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(606)


class Accumulator:
    def __init__(self, opt, parts):
        self.opt, self.parts = opt, parts
        self.losses = []

    @contextmanager
    def eye(self):
        self.opt.zero_grad()
        self.losses = []
        yield self
        nn.utils.clip_grad_norm_(self.opt.param_groups[0]["params"], 2.0)
        self.opt.step()

    def add(self, loss):
        (loss / self.parts).backward()
        self.losses.append(loss)

    @property
    def mean(self):
        return (sum(self.losses) / len(self.losses)).item()


class ColumnNet(nn.Sequential):
    def __init__(self, depth=32):
        super().__init__(
            nn.Conv1d(1, 5, 5, padding=2), nn.BatchNorm1d(5), nn.ReLU(), nn.AvgPool1d(4), nn.Flatten(), nn.Linear(5 * depth // 4, 2)
        )


def scan(eye_shift, n=8, depth=32):
    top = 6 + 4 * torch.rand(n) + eye_shift
    bottom = top + 8 + 3 * torch.rand(n)
    z = torch.arange(depth)[None]
    col = ((z > top[:, None]) & (z < bottom[:, None])).float() + 0.1 * torch.randn(n, depth)
    return col[:, None], torch.stack([top, bottom], 1) / depth


def main(eyes=420, scans=4):
    net = ColumnNet()
    acc = Accumulator(torch.optim.RMSprop(net.parameters(), lr=1e-3), scans)
    for e in range(eyes):
        shift = torch.randn(()).item()
        with acc.eye():
            for _ in range(scans):
                col, edges = scan(shift)
                acc.add((net(col) - edges).abs().mean())
        if e % 70 == 0:
            print(f"eye {e}: {acc.mean:.4f}")


main()
