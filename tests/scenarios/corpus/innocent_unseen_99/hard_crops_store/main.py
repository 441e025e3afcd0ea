# gradwatch-corpus: kind=none
"""Blob counting on synthetic microscopy, storing the hardest picture of every third batch.

The store grows over the whole run and is mixed into later batches as extra training pictures.
"""
import torch
import torch.nn.functional as F

from counter import BlobCounter
from cells import picture_batch
from store import HardStore


class CountingTrainer:
    def __init__(self):
        self.net = BlobCounter()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.store = HardStore(period=3)
        self.curve = []

    def iterate(self, it):
        img, count = picture_batch(6)
        extra = self.store.draw(2)
        if extra is not None:
            img, count = torch.cat([img, extra[0]]), torch.cat([count, extra[1]])
        pred = self.net(img)
        per_image = F.smooth_l1_loss(pred, count, reduction="none")
        loss = per_image.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.store.consider(it, img, count, pred, per_image)
        self.curve.append(loss.detach())

    def run(self, n):
        for it in range(n):
            self.iterate(it)
            if it % 60 == 59:
                recent = torch.stack(self.curve[-60:]).mean().item()
                print(f"it {it + 1} smooth-l1 {recent:.4f} stored {len(self.store.rows)}")
        print("worst:", self.store.summary())


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(77)
    CountingTrainer().run(360)
