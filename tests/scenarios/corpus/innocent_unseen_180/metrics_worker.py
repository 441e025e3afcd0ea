# gradwatch-corpus: kind=none
"""GAN on a ring of Gaussians; a worker thread digests outputs from a bounded queue."""
import math
import queue
import threading

import torch
import torch.nn.functional as F
from torch import nn


class ModeCounter(threading.Thread):
    def __init__(self, centers, maxsize=16, tail=25):
        super().__init__(daemon=True)
        self.inbox = queue.Queue(maxsize=maxsize)
        self.centers = centers
        self.tail = tail
        self.lock = threading.Lock()
        self.samples = []
        self.coverage = 0.0
        self.g_loss = 0.0

    def run(self):
        while True:
            msg = self.inbox.get()
            if msg is None:
                return
            fake, loss = msg
            with torch.no_grad():
                near = torch.cdist(fake, self.centers).argmin(dim=1)
            with self.lock:
                self.samples.append((near.unique().numel(), fake, loss))
                self.samples = self.samples[-self.tail:]
                self.coverage = max(n for n, _, _ in self.samples) / len(self.centers)
                self.g_loss = sum(l.item() for _, _, l in self.samples) / len(self.samples)
            del msg, fake, loss

    def send(self, fake, loss):
        self.inbox.put((fake, loss))

    def stop(self):
        self.inbox.put(None)
        self.join()


def mlp(i, o, h=32):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


def main():
    torch.manual_seed(67)
    ang = torch.arange(8) * (2 * math.pi / 8)
    centers = torch.stack([ang.cos(), ang.sin()], dim=1)
    G, D = mlp(4, 2), mlp(2, 1)
    og = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.99))
    od = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.99))
    worker = ModeCounter(centers)
    worker.start()
    for it in range(450):
        real = centers[torch.randint(0, 8, (48,))] + 0.05 * torch.randn(48, 2)
        fake = G(torch.randn(48, 4))
        d_loss = F.softplus(-D(real)).mean() + F.softplus(D(fake.detach())).mean()
        od.zero_grad()
        d_loss.backward()
        od.step()
        for p in D.parameters():
            p.requires_grad_(False)
        g_loss = F.softplus(-D(fake)).mean()
        og.zero_grad()
        g_loss.backward()
        og.step()
        for p in D.parameters():
            p.requires_grad_(True)
        worker.send(fake, g_loss)
        if it % 90 == 89:
            with worker.lock:
                print(f"{it + 1}: D {d_loss.item():.3f} G {worker.g_loss:.3f} coverage {worker.coverage:.2f}")
    worker.stop()


if __name__ == "__main__":
    main()
