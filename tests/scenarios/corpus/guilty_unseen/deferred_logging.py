# gradwatch-corpus: kind=graph-held
# holder: self._pending | logger._pending | log._pending | LOG._pending
"""Logger that writes only at the end of the run since the cluster's file system is slow."""
import functools
import io
from contextlib import contextmanager

import torch
from torch import nn


class DeferredLogger:
    def __init__(self, sink):
        self._sink = sink
        self._pending = []

    def scalar(self, tag, value, step):
        self._pending.append(functools.partial(self._write, tag, value, step))  # <- culprit

    def _write(self, tag, value, step):
        self._sink.write("%s\t%d\t%.6f\n" % (tag, step, value))

    def flush(self):
        for job in self._pending:
            job()
        self._pending.clear()


@contextmanager
def logging_to(sink):
    log = DeferredLogger(sink)
    try:
        yield log
    finally:
        log.flush()


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(96, 192), nn.ReLU(), nn.Linear(192, 12))
        self.dec = nn.Sequential(nn.Linear(12, 192), nn.ReLU(), nn.Linear(192, 96))

    def forward(self, x):
        z = self.enc(x)
        return self.dec(z), z


def main():
    torch.manual_seed(8)
    ae = AutoEncoder()
    opt = torch.optim.Adam(ae.parameters())
    basis = torch.randn(12, 96)
    sink = io.StringIO()
    with logging_to(sink) as log:
        for step in range(200):
            x = torch.randn(128, 12) @ basis
            rec, z = ae(x)
            mse = ((rec - x) ** 2).mean()
            sparsity = z.abs().mean()
            loss = mse + 1e-3 * sparsity
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            log.scalar("train/mse", mse, step)  # <- culprit
            log.scalar("train/sparsity", sparsity, step)  # <- culprit
    print(sink.getvalue().splitlines()[-1])


if __name__ == "__main__":
    main()
