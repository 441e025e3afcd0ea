# gradwatch-corpus: kind=second-backward
# holder: self._waiting | ledger._waiting | self.ledger._waiting | trainer.ledger._waiting
# first-bad: 4
"""Payments risk: velocity target is known at once, the chargeback label arrives some batches later."""
import collections

import torch
import torch.nn.functional as F
from torch import nn

DELAY = 4


class RiskNet(nn.Module):
    def __init__(self, n_in, width=40):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(n_in, width),
            nn.ReLU(),
            nn.Linear(width, width),
            nn.ReLU(),
        )
        self.velocity = nn.Linear(width, 1)
        self.chargeback = nn.Linear(width, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.velocity(h).squeeze(1), self.chargeback(h).squeeze(1)


class PaymentFeed:
    def __init__(self, n_in, seed):
        self.n_in = n_in
        self.gen = torch.Generator().manual_seed(seed)
        self.a = torch.randn(n_in, generator=self.gen) * 0.3
        self.b = torch.randn(n_in, generator=self.gen)

    def batch(self, n):
        x = torch.randn(n, self.n_in, generator=self.gen)
        velocity = x @ self.a + 0.1 * torch.randn(n, generator=self.gen)
        label = torch.bernoulli(torch.sigmoid(x @ self.b - 1.0), generator=self.gen)
        return x, velocity, label


class LabelLedger:
    """Joins predictions with the labels that come in DELAY batches later."""

    def __init__(self, delay):
        self.delay = delay
        self._waiting = collections.OrderedDict()

    def issue(self, step, logits, label):
        self._waiting[step] = (logits, label)  # <- culprit

    def settle(self, step):
        return self._waiting.pop(step - self.delay, None)


class MetricBoard:
    def __init__(self):
        self.sums = collections.Counter()
        self.counts = collections.Counter()

    def add(self, name, value):
        self.sums[name] += value
        self.counts[name] += 1

    def flush(self):
        text = " ".join(f"{k} {self.sums[k] / self.counts[k]:.4f}" for k in sorted(self.sums))
        self.sums.clear()
        self.counts.clear()
        return text


class RiskTrainer:
    def __init__(self, net, feed):
        self.net = net
        self.feed = feed
        self.ledger = LabelLedger(DELAY)
        self.board = MetricBoard()
        self.opt = torch.optim.Adam(net.parameters(), lr=1e-3)

    def step(self, step):
        x, velocity, label = self.feed.batch(64)
        pred_v, logits = self.net(x)
        self.ledger.issue(step, logits, label)  # <- culprit
        loss = F.smooth_l1_loss(pred_v, velocity)
        self.board.add("velocity", loss.item())
        due = self.ledger.settle(step)
        if due is not None:
            old_logits, old_label = due
            cb = F.binary_cross_entropy_with_logits(old_logits, old_label)  # <- culprit
            self.board.add("chargeback", cb.item())
            loss = loss + cb
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


def main():
    torch.manual_seed(22)
    trainer = RiskTrainer(RiskNet(18), PaymentFeed(18, 7))
    for step in range(120):
        trainer.step(step)
        if step % 30 == 29:
            print(step + 1, trainer.board.flush())


if __name__ == "__main__":
    main()
