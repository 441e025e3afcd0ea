# gradwatch-corpus: kind=graph-held
# holder: self.rows | writer.rows | self.writer.rows | row["dice"] | row
# first-bad: 1
# notice: 8
"""Lesion segmentation on synthetic slices. Metrics go to a writer thread so that
the training loop is never held up by formatting or disk."""
import csv
import io
import queue
import threading

import torch
import torch.nn.functional as F
from torch import nn


class MetricsWriter(threading.Thread):
    """Collects rows in the background and renders them as CSV on close."""

    _STOP = object()

    def __init__(self, fields):
        super().__init__(name="metrics", daemon=True)
        self.fields = fields
        self.inbox = queue.Queue(maxsize=64)
        self.rows = []

    def run(self):
        while True:
            row = self.inbox.get()
            if row is self._STOP:
                return
            self.rows.append(row)  # <- culprit

    def log(self, **row):
        self.inbox.put(row)

    def close(self):
        self.inbox.put(self._STOP)
        self.join()
        out = io.StringIO()
        table = csv.DictWriter(out, self.fields)
        table.writeheader()
        for row in self.rows:
            table.writerow({k: f"{torch.as_tensor(v).item():.5g}" for k, v in row.items()})
        return out.getvalue()


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.GroupNorm(2, cout), nn.SiLU())


class TinyUNet(nn.Module):
    def __init__(self, base=6):
        super().__init__()
        self.down = block(1, base)
        self.mid = block(base, 2 * base)
        self.up = block(3 * base, base)
        self.head = nn.Conv2d(base, 1, 1)

    def forward(self, x):
        a = self.down(x)
        b = self.mid(F.max_pool2d(a, 2))
        b = F.interpolate(b, scale_factor=2.0, mode="nearest")
        return self.head(self.up(torch.cat([a, b], dim=1)))


def slices(batch, gen, size=24):
    grid = torch.arange(size).float()
    cy, cx = (torch.rand(2, batch, 1, 1, generator=gen) * (size - 8) + 4).unbind(0)
    r = torch.rand(batch, 1, 1, generator=gen) * 3 + 2
    mask = ((grid[None, :, None] - cy) ** 2 + (grid[None, None, :] - cx) ** 2 < r ** 2).float()
    img = 0.8 * mask + 0.5 * torch.randn(batch, size, size, generator=gen)
    return img.unsqueeze(1), mask.unsqueeze(1)


def soft_dice(logits, mask):
    p = torch.sigmoid(logits)
    inter = (p * mask).sum(dim=(1, 2, 3))
    return ((2 * inter + 1) / (p.sum(dim=(1, 2, 3)) + mask.sum(dim=(1, 2, 3)) + 1)).mean()


class SegTrainer:
    def __init__(self, net, lr=4e-3):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.writer = MetricsWriter(["step", "bce", "dice"])
        self.writer.start()

    def step(self, i, img, mask):
        logits = self.net(img)
        bce = F.binary_cross_entropy_with_logits(logits, mask)
        dice = soft_dice(logits, mask)
        loss = bce + (1 - dice)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.writer.log(step=i, bce=bce.item(), dice=dice)  # <- culprit
        return loss.item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(31)
    gen = torch.Generator().manual_seed(8)
    trainer = SegTrainer(TinyUNet())
    for i in range(90):
        value = trainer.step(i, *slices(6, gen))
        if i % 15 == 0:
            print(f"{i:3d} {value:.4f}", flush=True)
    lines = trainer.writer.close().splitlines()
    print(lines[0], "...", lines[-1])


if __name__ == "__main__":
    main()
