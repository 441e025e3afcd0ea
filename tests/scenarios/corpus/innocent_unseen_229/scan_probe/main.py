# gradwatch-corpus: kind=none
"""Barcode-presence classifier for a line-scan camera; accumulates four small batches per update."""
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from probe import SaliencyTap, watching


class ScanNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU())
        self.b = nn.Sequential(nn.Conv2d(8, 12, 3, 2, 1), nn.ReLU())
        self.head = nn.Linear(12, 3)

    def forward(self, x):
        h = self.a(x)
        if self.training:
            h = checkpoint(self.b, h, use_reentrant=False)
        else:
            h = self.b(h)
        return self.head(h.mean(dim=(2, 3)))


def strips(n):
    y = torch.randint(0, 3, (n,))
    x = 0.3 * torch.randn(n, 1, 20, 28)
    bars = (torch.arange(28) % 4 < 2).float()
    for i, c in enumerate(y.tolist()):
        if c == 1:
            x[i, 0, 6:14] += bars
        elif c == 2:
            x[i, 0, :, 8:16] += 0.7
    return x, y


def main(updates=70, micro=4):
    torch.manual_seed(88)
    net = ScanNet()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    tap = SaliencyTap(net)
    loss_fn = nn.CrossEntropyLoss()
    for u in range(updates):
        opt.zero_grad()
        running = 0.0
        for _ in range(micro):
            x, y = strips(8)
            loss = loss_fn(net(x), y) / micro
            loss.backward()
            running += loss.detach()
        opt.step()
        if u % 20 == 19:
            net.eval()
            with torch.no_grad(), watching(net, (nn.Conv2d,)) as stats:
                x, y = strips(64)
                acc = (net(x).argmax(dim=1) == y).float().mean().item()
            rows = tap(x[:8], 1)
            net.train()
            print(f"update {u + 1} loss {running.item():.3f} acc {acc:.2f} row {int(rows.argmax())} {stats.table()}")


if __name__ == "__main__":
    main()
