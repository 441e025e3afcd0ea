# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
"""EEG motor imagery classifier with a max-norm constraint on the weights."""
import torch
import torch.nn.functional as F

from constraints import MaxNorm
from model import CompactEEG


def make_epochs(n=512, channels=8, samples=96):
    g = torch.Generator().manual_seed(12)
    y = torch.randint(0, 2, (n,), generator=g)
    t = torch.arange(samples) / 96.0
    mu = torch.sin(2 * torch.pi * 10 * t + torch.rand(n, 1, generator=g) * 6.28)
    x = torch.randn(n, 1, channels, samples, generator=g)
    x[y == 0, 0, 2] += 1.5 * mu[y == 0]
    x[y == 1, 0, 5] += 1.5 * mu[y == 1]
    return x, y


class Session:
    def __init__(self, net, lr=1e-2, constraint=None):
        self.net = net
        self.constraint = constraint
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.global_step = 0

    def forward_loss(self, x, y):
        logits = self.net(x)
        if self.constraint is not None:
            self.constraint.maybe_apply(self.net, self.global_step)  # <- culprit
        return F.cross_entropy(logits, y), logits

    def step(self, x, y):
        loss, logits = self.forward_loss(x, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.global_step += 1
        return loss.item(), (logits.argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(6)
    x, y = make_epochs()
    session = Session(CompactEEG(), constraint=MaxNorm(limit=0.5, every=20))
    for epoch in range(6):
        order = torch.randperm(len(y))
        res = [session.step(x[i], y[i]) for i in order.split(32)]
        loss, acc = (sum(v) / len(v) for v in zip(*res))
        print(f"epoch {epoch} loss {loss:.3f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
