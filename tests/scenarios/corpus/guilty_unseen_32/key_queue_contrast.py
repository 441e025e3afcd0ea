# gradwatch-corpus: kind=inplace-modified
# first-bad: 24
"""Momentum-contrast pretraining on augmented vectors with a ring buffer of keys."""
import copy

import torch
from torch import nn
import torch.nn.functional as F

SETTINGS = {
    "dim_in": 20, "dim": 16, "batch": 32, "queue": 256, "tau": 0.2,
    "momentum": 0.98, "steps": 160, "fill_after": 24, "lr": 0.03,
}


class KeyQueue(nn.Module):
    """Fixed-size ring of normalised keys; newest overwrite oldest."""

    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("keys", F.normalize(torch.randn(size, dim), dim=1))
        self.head = 0

    @torch.no_grad()
    def push(self, new):
        n = new.size(0)
        self.keys[self.head:self.head + n] = new  # <- culprit
        self.head = (self.head + n) % self.keys.size(0)

    def similarity(self, q):
        return q @ self.keys.t()  # <- culprit


class Encoder(nn.Sequential):
    def __init__(self, d_in, d_out):
        super().__init__(nn.Linear(d_in, 48), nn.ReLU(), nn.Linear(48, d_out))

    def forward(self, x):
        return F.normalize(super().forward(x), dim=1)


class MomentumContrast(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.s = s
        self.query = Encoder(s["dim_in"], s["dim"])
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.queue = KeyQueue(s["queue"], s["dim"])
        self.updates = 0

    @torch.no_grad()
    def follow(self):
        for k, q in zip(self.key.parameters(), self.query.parameters()):
            k.lerp_(q, 1 - self.s["momentum"])

    def forward(self, view_a, view_b):
        q = self.query(view_a)
        with torch.no_grad():
            self.follow()
            k = self.key(view_b)
        positive = (q * k).sum(1, keepdim=True)
        logits = torch.cat([positive, self.queue.similarity(q)], dim=1) / self.s["tau"]
        if self.updates >= self.s["fill_after"]:
            self.queue.push(k)  # <- culprit
        self.updates += 1
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


def two_views(protos, batch):
    base = protos[torch.randint(0, len(protos), (batch,))]
    make = lambda: (base + 0.3 * torch.randn_like(base)) * (torch.rand_like(base) > 0.1)
    return make(), make()


def pretrain(s):
    torch.manual_seed(40)
    protos = torch.randn(200, s["dim_in"])
    model = MomentumContrast(s)
    opt = torch.optim.SGD(model.query.parameters(), lr=s["lr"], momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, s["steps"])
    for step in range(s["steps"]):
        loss = model(*two_views(protos, s["batch"]))
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 20 == 0:
            print(f"step {step} loss {loss.item():.4f} lr {sched.get_last_lr()[0]:.4f}")


if __name__ == "__main__":
    pretrain(SETTINGS)
