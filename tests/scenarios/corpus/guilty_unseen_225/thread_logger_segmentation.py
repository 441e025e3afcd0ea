# gradwatch-corpus: kind=graph-held
# holder: self.records | writer.records
# first-bad: 1
"""Crack segmentation on concrete tiles. Loader thread on one side, metric thread on the other."""
import queue
import threading
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

STOP = object()


@dataclass
class StepRecord:
    step: int
    loss: float
    logits: torch.Tensor
    mask: torch.Tensor

    def iou(self):
        pred = self.logits > 0
        truth = self.mask > 0.5
        inter = (pred & truth).sum().item()
        union = (pred | truth).sum().item()
        return inter / max(union, 1)


class TileLoader(threading.Thread):
    def __init__(self, n_batches, out, seed):
        super().__init__(daemon=True)
        self.n_batches = n_batches
        self.out = out
        self.gen = torch.Generator().manual_seed(seed)

    def run(self):
        for _ in range(self.n_batches):
            image = torch.rand(4, 1, 32, 32, generator=self.gen)
            mask = torch.zeros(4, 1, 32, 32)
            for b in range(4):
                col = int(torch.randint(4, 28, (1,), generator=self.gen))
                mask[b, 0, :, col:col + 2] = 1.0
            image = image - 0.5 * mask
            self.out.put((image, mask))
        self.out.put(STOP)


class MetricWriter(threading.Thread):
    def __init__(self, inbox, every):
        super().__init__(daemon=True)
        self.inbox = inbox
        self.every = every
        self.records = []

    def run(self):
        while True:
            record = self.inbox.get()
            if record is STOP:
                return
            self.records.append(record)  # <- culprit
            if len(self.records) % self.every == 0:
                window = self.records[-self.every:]
                miou = sum(r.iou() for r in window) / self.every
                print(f"step {record.step}: loss {record.loss:.4f} mIoU {miou:.3f}")


class TinyUNet(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.enc1 = nn.Conv2d(1, c, 3, padding=1)
        self.enc2 = nn.Conv2d(c, 2 * c, 3, padding=1, stride=2)
        self.up = nn.ConvTranspose2d(2 * c, c, 2, stride=2)
        self.out = nn.Conv2d(2 * c, 1, 1)

    def forward(self, x):
        a = F.relu(self.enc1(x))
        b = F.relu(self.enc2(a))
        u = F.relu(self.up(b))
        return self.out(torch.cat([a, u], dim=1))


def main():
    torch.manual_seed(8)
    batches = queue.Queue(maxsize=6)
    metrics = queue.Queue()
    loader = TileLoader(120, batches, seed=1)
    writer = MetricWriter(metrics, every=20)
    loader.start()
    writer.start()
    net = TinyUNet()
    opt = torch.optim.AdamW(net.parameters(), lr=5e-3)
    step = 0
    while True:
        item = batches.get()
        if item is STOP:
            break
        image, mask = item
        logits = net(image)
        loss = F.binary_cross_entropy_with_logits(logits, mask)
        opt.zero_grad()
        loss.backward()
        opt.step()
        record = StepRecord(step, loss.item(), logits, mask)  # <- culprit
        metrics.put(record)  # <- culprit
        step += 1
    metrics.put(STOP)
    writer.join()
    tail = writer.records[-30:]
    print("final mIoU", round(sum(r.iou() for r in tail) / len(tail), 3))


if __name__ == "__main__":
    main()
