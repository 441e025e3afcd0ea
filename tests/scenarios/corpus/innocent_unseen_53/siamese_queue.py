# gradwatch-corpus: kind=none
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Args:
    dim: int = 24
    queue_size: int = 512
    momentum: float = 0.97
    temperature: float = 0.1
    batch: int = 32
    iters: int = 130
    margin: float = 0.3
    classes: int = 6


@dataclass
class Log:
    contrast: list = field(default_factory=list)
    triplet: list = field(default_factory=list)


def encoder(dim):
    return nn.Sequential(nn.Linear(20, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, dim))


class SiameseMoCo(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args
        self.encoder_q = encoder(args.dim)
        self.encoder_k = encoder(args.dim)
        self.encoder_k.load_state_dict(self.encoder_q.state_dict())
        for p in self.encoder_k.parameters():
            p.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(args.dim, args.queue_size), dim=0))
        self.ptr = 0

    @torch.no_grad()
    def _momentum_update(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.mul_(self.args.momentum).add_(q, alpha=1 - self.args.momentum)

    @torch.no_grad()
    def _enqueue(self, keys):
        n = keys.size(0)
        self.queue[:, self.ptr:self.ptr + n] = keys.t()
        self.ptr = (self.ptr + n) % self.args.queue_size

    def forward(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        with torch.no_grad():
            self._momentum_update()
            k = F.normalize(self.encoder_k(im_k), dim=1)
        l_pos = (q * k).sum(1, keepdim=True)
        l_neg = q @ self.queue.clone()
        logits = torch.cat([l_pos, l_neg], 1) / self.args.temperature
        self._enqueue(k)
        return logits, q


def batch_hard_triplet(emb, labels, margin):
    d = torch.cdist(emb, emb)
    same = labels[:, None] == labels[None]
    hardest_pos = (d * same).max(1).values
    hardest_neg = (d + 1e3 * same).min(1).values
    return F.relu(hardest_pos - hardest_neg + margin).mean()


def views(args, centers):
    labels = torch.randint(0, args.classes, (args.batch,))
    base = centers[labels] + 0.5 * torch.randn(args.batch, 20)
    return base + 0.1 * torch.randn_like(base), base + 0.1 * torch.randn_like(base), labels


def main():
    args, log = Args(), Log()
    torch.manual_seed(13)
    centers = torch.randn(args.classes, 20)
    model = SiameseMoCo(args)
    optimizer = torch.optim.SGD(model.encoder_q.parameters(), lr=0.05, momentum=0.9)

    for it in range(args.iters):
        im_q, im_k, labels = views(args, centers)
        logits, emb = model(im_q, im_k)
        contrast = F.cross_entropy(logits, torch.zeros(args.batch, dtype=torch.long))
        triplet = batch_hard_triplet(emb, labels, args.margin)

        optimizer.zero_grad()
        contrast.backward(retain_graph=True)
        triplet.backward()
        optimizer.step()

        log.contrast.append(contrast.item())
        log.triplet.append(triplet.item())
        if (it + 1) % 26 == 0:
            acc = (logits.argmax(1) == 0).float().mean().item()
            print(f"iter {it + 1}: contrast {log.contrast[-1]:.3f} triplet {log.triplet[-1]:.3f} acc {acc:.2f}")


if __name__ == "__main__":
    main()
