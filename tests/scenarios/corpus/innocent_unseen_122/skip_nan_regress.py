# gradwatch-corpus: kind=none
"""Sensor calibration where some batches are broken; the last few failures are kept for the post-mortem."""
import collections
import math

import torch

torch.set_num_threads(1)


class BadBatch(RuntimeError):
    pass


class Calibrator(torch.nn.Module):
    def __init__(self, sensors=6):
        super().__init__()
        self.gate = torch.nn.Linear(sensors, 12)
        self.val = torch.nn.Linear(sensors, 12)
        self.out = torch.nn.Linear(12, 1)

    def forward(self, x):
        return self.out(torch.sigmoid(self.gate(x)) * self.val(x)).squeeze(-1)


def readings(n_batches, broken_every=9):
    w = torch.randn(6)
    for k in range(n_batches):
        x = torch.randn(20, 6)
        y = x @ w + 0.2 * (x ** 2).sum(1)
        if k % broken_every == broken_every - 1:
            y[int(torch.randint(0, 20, (1,)))] = math.nan
        yield x, y


def guarded_loss(net, x, y):
    loss = (net(x) - y).abs().mean()
    if not math.isfinite(loss.item()):
        raise BadBatch(f"loss is {loss.item()}, {int(y.isnan().sum())} broken labels")
    return loss


class Session:
    def __init__(self):
        self.net = Calibrator()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.failures = collections.deque(maxlen=6)
        self.n_failed = 0
        self.curve = []

    def feed(self, x, y):
        try:
            loss = guarded_loss(self.net, x, y)
        except BadBatch as exc:
            self.failures.append(exc)
            self.n_failed += 1
            return
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.curve.append(loss.item())


def main():
    torch.manual_seed(81)
    session = Session()
    for k, (x, y) in enumerate(readings(900), 1):
        session.feed(x, y)
        if k % 180 == 0:
            print(f"{k} batches, mae {sum(session.curve[-50:]) / 50:.3f}, skipped {session.n_failed}: {session.failures[-1]}")


if __name__ == "__main__":
    main()
