# gradwatch-corpus: kind=inplace-modified
# holder: self.queue | moco.queue
# first-bad: 0
# notice: 0
"""Momentum contrast (He et al. 2020) on one-dimensional signals."""
import argparse
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


def signals(n, length=64, classes=5):
    """Sine waves whose frequency depends on a hidden class."""
    c = torch.randint(1, classes + 1, (n, 1)).float()
    t = torch.linspace(0, 1, length).view(1, -1)
    return torch.sin(2 * math.pi * c * t + 6.28 * torch.rand(n, 1))


def augment(x):
    shift = int(torch.randint(0, x.size(1), (1,)))
    x = torch.roll(x, shift, dims=1)
    return x * (0.8 + 0.4 * torch.rand(x.size(0), 1)) + 0.05 * torch.randn_like(x)


def encoder(dim):
    return nn.Sequential(
        nn.Unflatten(1, (1, 64)),
        nn.Conv1d(1, 8, 7, stride=2, padding=3), nn.ReLU(),
        nn.Conv1d(8, 16, 5, stride=2, padding=2), nn.ReLU(),
        nn.AdaptiveAvgPool1d(4), nn.Flatten(),
        nn.Linear(64, dim),
    )


class MoCo(nn.Module):
    def __init__(self, dim=24, K=256, m=0.99, T=0.1):
        super().__init__()
        self.K, self.m, self.T = K, m, T
        self.encoder_q = encoder(dim)
        self.encoder_k = copy.deepcopy(self.encoder_q)
        for p in self.encoder_k.parameters():
            p.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum_update_key_encoder(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.data = k.data * self.m + q.data * (1.0 - self.m)

    @torch.no_grad()
    def _dequeue_and_enqueue(self, keys):
        """Replace the oldest batch of keys in the queue."""
        n = keys.shape[0]
        ptr = int(self.queue_ptr)
        self.queue[:, ptr:ptr + n] = keys.T  # <- culprit
        self.queue_ptr[0] = (ptr + n) % self.K

    def forward(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        with torch.no_grad():
            self._momentum_update_key_encoder()
            k = F.normalize(self.encoder_k(im_k), dim=1)

        l_pos = torch.einsum("nc,nc->n", q, k).unsqueeze(-1)
        l_neg = torch.einsum("nc,ck->nk", q, self.queue)  # <- culprit
        logits = torch.cat([l_pos, l_neg], dim=1) / self.T
        labels = torch.zeros(logits.shape[0], dtype=torch.long)
        self._dequeue_and_enqueue(k)
        return logits, labels


def accuracy(logits, labels):
    return (logits.argmax(1) == labels).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=150)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--lr", type=float, default=0.03)
    args = ap.parse_args()
    torch.manual_seed(0)

    moco = MoCo()
    optimizer = torch.optim.SGD(moco.encoder_q.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.steps)

    for step in range(args.steps):
        x = signals(args.batch_size)
        logits, labels = moco(augment(x), augment(x))
        loss = F.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        if step % 25 == 0:
            print(f"{step:4d} loss {loss.item():.3f} acc {accuracy(logits, labels):.3f}")


if __name__ == "__main__":
    main()
