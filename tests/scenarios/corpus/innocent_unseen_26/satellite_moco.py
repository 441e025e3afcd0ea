# gradwatch-corpus: kind=none
"""Momentum contrast on multispectral patches: queue of keys, momentum encoder, all kept in buffers."""
import copy
import math

import torch
import torch.nn.functional as F
from torch import nn


def augment(x):
    x = x * (1 + 0.2 * torch.randn(x.shape[0], x.shape[1], 1, 1))
    k = int(torch.randint(0, 4, (1,)))
    return torch.rot90(x, k, (2, 3)) + 0.05 * torch.randn_like(x)


def backbone(bands=6, dim=32):
    return nn.Sequential(nn.Conv2d(bands, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 24, 3, 2, 1), nn.ReLU(),
                         nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(24, dim))


class MoCo(nn.Module):
    def __init__(self, dim=32, K=256, m=0.98, T=0.15):
        super().__init__()
        self.m, self.T = m, T
        self.encoder_q = backbone(dim=dim)
        self.encoder_k = copy.deepcopy(self.encoder_q).requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum_update_key_encoder(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.data = k.data * self.m + q.data * (1.0 - self.m)

    @torch.no_grad()
    def _dequeue_and_enqueue(self, keys):
        n, ptr = keys.shape[0], int(self.queue_ptr)
        self.queue[:, ptr:ptr + n] = keys.T
        self.queue_ptr[0] = (ptr + n) % self.queue.shape[1]

    def forward(self, a, b):
        q = F.normalize(self.encoder_q(a), dim=1)
        with torch.no_grad():
            self._momentum_update_key_encoder()
            k = F.normalize(self.encoder_k(b), dim=1)
        pos = torch.einsum("nc,nc->n", q, k)[:, None]
        neg = torch.einsum("nc,ck->nk", q, self.queue.clone().detach())
        logits = torch.cat([pos, neg], 1) / self.T
        self._dequeue_and_enqueue(k)
        return logits, torch.zeros(len(logits), dtype=torch.long)


def adjust(opt, step, total, base):
    for g in opt.param_groups:
        g["lr"] = base * 0.5 * (1 + math.cos(math.pi * step / total))


class AverageMeter:
    def __init__(self):
        self.sum = self.count = 0.0

    def update(self, v, n):
        self.sum, self.count = self.sum + v * n, self.count + n

    @property
    def avg(self):
        return self.sum / max(1, self.count)


def main(steps=100, batch=32):
    torch.manual_seed(0)
    model = MoCo()
    opt = torch.optim.SGD(model.encoder_q.parameters(), lr=0.1, momentum=0.9)
    losses, top1 = AverageMeter(), AverageMeter()
    proto = torch.randn(12, 6, 16, 16)
    for step in range(steps):
        adjust(opt, step, steps, 0.1)
        patch = proto[torch.randint(0, 12, (batch,))] + 0.3 * torch.randn(batch, 6, 16, 16)
        logits, labels = model(augment(patch), augment(patch))
        loss = F.cross_entropy(logits, labels)
        losses.update(loss.item(), batch)
        top1.update((logits.argmax(1) == labels).float().mean().item(), batch)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 25 == 0:
            print(f"[{step}/{steps}] loss {losses.avg:.3f} top1 {top1.avg:.3f}")


if __name__ == "__main__":
    main()
