import torch
from torch import nn
import torch.nn.functional as F


class RingBufferMixin:
    def init_ring(self, size, dim):
        self.register_buffer("ring", F.normalize(torch.randn(size, dim), dim=-1))
        self.register_buffer("head", torch.zeros((), dtype=torch.long))

    @torch.no_grad()
    def push(self, rows):
        i = int(self.head)
        idx = (torch.arange(len(rows)) + i) % len(self.ring)
        self.ring[idx] = rows
        self.head.fill_((i + len(rows)) % len(self.ring))


class QueueContrast(RingBufferMixin, nn.Module):
    def __init__(self, online, target, dim, size, temperature):
        super().__init__()
        self.online, self.target, self.t = online, target, temperature
        self.target.load_state_dict(online.state_dict())
        for p in self.target.parameters():
            p.requires_grad = False
        self.init_ring(size, dim)

    def forward(self, a, b):
        q = self.online(a)
        with torch.no_grad():
            k = self.target(b)
        negatives = self.ring.clone().detach()
        logits = torch.cat([(q * k).sum(-1, keepdim=True), q @ negatives.t()], 1) / self.t
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self.push(k)
        return {"loss": loss, "acc": (logits.argmax(1) == 0).float().mean().item()}
