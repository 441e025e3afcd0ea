# gradwatch-corpus: kind=graph-held
# holder: self.rejected | guard.rejected | self.guard.rejected
# first-bad: 1
"""ETA regression for last-mile routes; batches whose predictions look off are rejected and reported."""
import collections

import torch
from torch import nn

STOPS = 8
FEATS = 6


class RejectedBatch(Exception):
    def __init__(self, reason, magnitude):
        super().__init__(f"{reason} ({magnitude:.1f})")
        self.reason = reason
        self.magnitude = magnitude


class RouteGenerator:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.coef = torch.rand(FEATS, generator=self.gen)

    def batch(self, step, n=48):
        x = torch.rand(n, STOPS, FEATS, generator=self.gen)
        y = (x @ self.coef).sum(1)
        if step % 3 == 0:
            row = int(torch.randint(0, n, (1,), generator=self.gen))
            y[row] = y[row] + 60.0
        return x, y


class EtaNet(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.embed = nn.Linear(FEATS, dim)
        self.attn = nn.MultiheadAttention(dim, 4, batch_first=True)
        self.head = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def forward(self, x):
        h = self.embed(x)
        a, _ = self.attn(h, h, h, need_weights=False)
        return self.head(h + a).sum(1).squeeze(1)


class BatchGuard:
    """Turns sanity rules into exceptions and remembers what was rejected for the run report."""

    def __init__(self, max_residual):
        self.max_residual = max_residual
        self.rejected = []

    def check(self, residual):
        worst = residual.detach().abs().max().item()
        if worst > self.max_residual:
            raise RejectedBatch("residual", worst)

    def remember(self, step, err):
        self.rejected.append((step, err))  # <- culprit

    def report(self):
        by_reason = collections.Counter(err.reason for _, err in self.rejected)
        peak = max((err.magnitude for _, err in self.rejected), default=0.0)
        return dict(by_reason), peak


class EtaTrainer:
    def __init__(self, net, guard):
        self.net = net
        self.guard = guard
        self.opt = torch.optim.Adam(net.parameters(), lr=2e-3)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 50, 0.5)

    def train_batch(self, x, y):
        pred = self.net(x)
        residual = pred - y
        loss = nn.functional.huber_loss(pred, y)
        self.opt.zero_grad()
        loss.backward()
        self.guard.check(residual)
        self.opt.step()
        return loss.item()

    def run(self, routes, steps):
        done = 0
        running = 0.0
        for step in range(steps):
            x, y = routes.batch(step)
            try:
                running += self.train_batch(x, y)
                done += 1
            except RejectedBatch as err:
                self.guard.remember(step, err)  # <- culprit
            self.sched.step()
        return running / max(done, 1), done


def main():
    torch.manual_seed(6)
    guard = BatchGuard(max_residual=40.0)
    trainer = EtaTrainer(EtaNet(), guard)
    mean_loss, done = trainer.run(RouteGenerator(14), 120)
    reasons, peak = guard.report()
    print(f"mean huber {mean_loss:.4f} over {done} batches")
    print(f"rejected {reasons} worst residual {peak:.1f}")


if __name__ == "__main__":
    main()
