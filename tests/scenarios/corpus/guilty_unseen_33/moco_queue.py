# gradwatch-corpus: kind=graph-held
# holder: cls.queue | self.queue | NegativePool.queue | ViewContrast.queue | criterion.queue
# first-bad: 1
"""Instance discrimination with a FIFO of past keys as negatives."""
from collections import deque
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass(frozen=True)
class Hparams:
    steps: int = 90
    batch: int = 16
    dim: int = 16
    temperature: float = 0.2
    lr: float = 0.03


class NegativePool:
    """Keys of earlier batches, shared by all objectives of the process."""

    queue = deque(maxlen=48)

    @classmethod
    def admit(cls, keys):
        cls.queue.append(keys)  # <- culprit

    @classmethod
    def negatives(cls):
        if not cls.queue:
            return None
        return torch.cat([k.detach() for k in cls.queue])


class ViewContrast(NegativePool, nn.Module):
    def __init__(self, temperature):
        super().__init__()
        self.temperature = temperature

    def forward(self, q, k):
        q, k = F.normalize(q, dim=-1), F.normalize(k, dim=-1)
        pos = (q * k).sum(-1, keepdim=True)
        neg = self.negatives()
        if neg is None:
            neg = k.detach().roll(1, 0)
        logits = torch.cat([pos, q @ neg.T], dim=1)
        self.admit(k)  # <- culprit
        target = torch.zeros(len(q), dtype=torch.long)
        return F.cross_entropy(logits / self.temperature, target)


def two_views(x, noise=0.25, drop=0.2):
    def view():
        keep = (torch.rand_like(x) > drop).float()
        return (x + noise * torch.randn_like(x)) * keep

    return view(), view()


def source(hp, width=30, clusters=12):
    proto = torch.randn(clusters, width)
    for _ in range(hp.steps):
        which = torch.randint(0, clusters, (hp.batch,))
        yield proto[which] + 0.2 * torch.randn(hp.batch, width)


def main(hp=Hparams()):
    torch.manual_seed(0)
    encoder = nn.Sequential(nn.Linear(30, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Linear(48, hp.dim))
    criterion = ViewContrast(hp.temperature)
    opt = torch.optim.SGD(encoder.parameters(), lr=hp.lr, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, hp.steps)
    for step, x in enumerate(source(hp)):
        a, b = two_views(x)
        loss = criterion(encoder(a), encoder(b))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        if step % 30 == 0:
            print(f"step {step:3d} nce {loss.item():.3f} lr {sched.get_last_lr()[0]:.4f} "
                  f"pool {sum(len(k) for k in criterion.queue)}")


if __name__ == "__main__":
    main()
