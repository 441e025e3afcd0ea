# gradwatch-corpus: kind=none
"""Contrastive training with a reporter thread.

The training loop hands over its outputs in a plain list guarded by a condition; the reporter pops
them and does the (slower) statistics. The loop waits when the reporter is too far behind.
"""
import statistics
import threading

import torch
from torch import nn
from torch.nn import functional as F


class Reporter(threading.Thread):
    MAX_WAITING = 8

    def __init__(self):
        super().__init__(name="reporter")
        self.inbox = []
        self.ready = threading.Condition()
        self.closed = False
        self.alignment, self.uniformity = [], []

    def submit(self, step, pair, loss):
        with self.ready:
            while len(self.inbox) >= self.MAX_WAITING:
                self.ready.wait()
            self.inbox.append((step, pair, loss))
            self.ready.notify_all()

    def close(self):
        with self.ready:
            self.closed = True
            self.ready.notify_all()
        self.join()

    def run(self):
        while True:
            with self.ready:
                while not self.inbox and not self.closed:
                    self.ready.wait()
                if not self.inbox:
                    return
                step, (a, b), loss = self.inbox.pop(0)
                self.ready.notify_all()
            self.digest(step, a, b, loss)

    def digest(self, step, a, b, loss):
        with torch.no_grad():
            self.alignment.append((a - b).pow(2).sum(1).mean().item())
            self.uniformity.append(torch.pdist(a).pow(2).mul(-2).exp().mean().log().item())
        if step % 80 == 79:
            print(f"step {step + 1} loss {loss.item():.4f} align {statistics.fmean(self.alignment[-40:]):.4f} "
                  f"uniform {statistics.fmean(self.uniformity[-40:]):.4f}")


def views(n=20):
    base = torch.randn(n, 12)
    return base + 0.2 * torch.randn_like(base), base + 0.2 * torch.randn_like(base)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(21)
    net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 8))
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    reporter = Reporter()
    reporter.start()
    try:
        for step in range(400):
            v1, v2 = views()
            a, b = F.normalize(net(v1), dim=1), F.normalize(net(v2), dim=1)
            loss = F.cross_entropy(a @ b.t() / 0.2, torch.arange(len(a)))
            opt.zero_grad()
            loss.backward()
            opt.step()
            reporter.submit(step, (a, b), loss)
    finally:
        reporter.close()
    print("reports", len(reporter.alignment))


if __name__ == "__main__":
    main()
