# gradwatch-corpus: kind=memory-climb
# holder: self.chunks | metrics["effective_rank"].chunks | self.members["effective_rank"].chunks | metrics.members["effective_rank"].chunks | metric.chunks | m.chunks
# first-bad: 1
"""Contrastive training with a board of metrics, among them the effective rank of the embedding."""
import torch
from torch import nn
from torch.nn import functional as F


class Metric:
    def reset(self):
        self.total, self.count = 0.0, 0

    def update(self, out):
        raise NotImplementedError

    def compute(self):
        return self.total / max(self.count, 1)


class MeanLoss(Metric):
    def update(self, out):
        self.total += out["loss"].item()
        self.count += 1


class Alignment(Metric):
    def update(self, out):
        self.total += (out["a"] * out["b"]).sum(1).mean().item()
        self.count += 1


class EffectiveRank(Metric):
    """exp(entropy) of the singular values over the latest rows."""

    def __init__(self, rows=1024):
        self.rows = rows
        self.chunks = []  # <- culprit

    def update(self, out):
        self.chunks.append(out["a"].detach())  # <- culprit

    def compute(self):
        z = torch.cat(self.chunks[-8:])[-self.rows:]
        s = torch.linalg.svdvals(z - z.mean(0))
        p = s / s.sum()
        return torch.exp(-(p * (p + 1e-9).log()).sum()).item()


class Board:
    def __init__(self, **members):
        self.members = members
        self.reset()

    def update(self, **out):
        for metric in self.members.values():
            metric.update(out)  # <- culprit

    def reset(self):
        for metric in self.members.values():
            metric.reset()

    def line(self):
        text = "  ".join(f"{name} {m.compute():.3f}" for name, m in self.members.items())
        self.reset()
        return text


def ntxent(a, b, tau=0.2):
    return F.cross_entropy(a @ b.t() / tau, torch.arange(len(a)))


def main(epochs=5, batches=40, size=384, d_in=32, d_out=192):
    torch.manual_seed(24)
    basis = torch.randn(8, d_in)
    net = nn.Sequential(nn.Linear(d_in, 96), nn.ReLU(), nn.Linear(96, d_out))
    opt = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.9)
    metrics = Board(loss=MeanLoss(), alignment=Alignment(), effective_rank=EffectiveRank())
    for epoch in range(epochs):
        for _ in range(batches):
            x = torch.randn(size, 8) @ basis
            a, b = (F.normalize(net(x + 0.3 * torch.randn_like(x)), dim=1) for _ in range(2))
            loss = ntxent(a, b)
            opt.zero_grad()
            loss.backward()
            opt.step()
            metrics.update(loss=loss, a=a, b=b)  # <- culprit
        print(f"epoch {epoch}  {metrics.line()}")


if __name__ == "__main__":
    main()
