# gradwatch-corpus: kind=none
import torch
from torch import nn


class CenterLoss(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.centers = nn.Parameter(torch.randn(n, d))

    def forward(self, z, y):
        return (z - self.centers[y]).pow(2).sum(1).mean()


class BestKeeper:
    """The best batch so far stays alive with its graph, which is one graph and never more."""

    best = None

    def offer(self, loss, z):
        if self.best is None or loss.item() < self.best[0].item():
            self.best = (loss, z)


torch.manual_seed(0)
enc = nn.Sequential(nn.Linear(24, 128), nn.PReLU(), nn.Linear(128, 128), nn.PReLU(), nn.Linear(128, 2))
clf, center, keep = nn.Linear(2, 6), CenterLoss(6, 2), BestKeeper()
opt = torch.optim.Adam([*enc.parameters(), *clf.parameters()], 2e-3)
opt_c = torch.optim.SGD(center.parameters(), 0.5)
for it in range(300):
    x = torch.randn(96, 24)
    y = x[:, :6].argmax(1)
    z = enc(x)
    loss = nn.functional.cross_entropy(clf(z), y) + 0.01 * center(z, y)
    opt.zero_grad()
    opt_c.zero_grad()
    loss.backward()
    for p in center.parameters():
        p.grad.data *= 100
    opt.step()
    opt_c.step()
    keep.offer(loss, z)
    if it % 75 == 0:
        print(it, loss.item(), keep.best[0].item())
