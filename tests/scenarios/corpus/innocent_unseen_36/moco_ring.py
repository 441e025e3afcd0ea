# gradwatch-corpus: kind=none
"""Momentum contrast with a ring buffer of keys."""
import copy

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class Ring(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("keys", F.normalize(torch.randn(size, dim), dim=1))
        self.ptr = 0

    @torch.no_grad()
    def __iadd__(self, k):
        end = self.ptr + len(k)
        self.keys[self.ptr:end] = k
        self.ptr = end % len(self.keys)
        return self


class Moco:
    def __init__(self, net, size=256, dim=16, m=0.98):
        self.q_net, self.k_net = net, copy.deepcopy(net).requires_grad_(False)
        self.ring, self.m = Ring(size, dim), m

    def momentum(self):
        with torch.no_grad():
            for k, q in zip(self.k_net.parameters(), self.q_net.parameters()):
                k.lerp_(q, 1 - self.m)

    def __call__(self, a, b, temp=0.2):
        q = F.normalize(self.q_net(a), dim=1)
        self.momentum()
        k = F.normalize(self.k_net(b), dim=1)
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ self.ring.keys.clone().t()], 1) / temp
        self.ring += k
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


def views(n, centres):
    base = centres[torch.randint(0, len(centres), (n,))]
    return tuple(base + 0.4 * torch.randn_like(base) for _ in range(2))


if __name__ == "__main__":
    torch.manual_seed(0)
    centres = torch.randn(100, 20)
    moco = Moco(nn.Sequential(nn.Linear(20, 48), nn.ReLU(), nn.Linear(48, 16)))
    opt = torch.optim.SGD(moco.q_net.parameters(), lr=0.1, momentum=0.9)
    seen = []
    for step in range(140):
        loss = moco(*views(32, centres))
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen.append(loss.detach())
        if len(seen) == 35:
            print(f"step {step} nce {torch.stack(seen).mean().item():.4f}")
            seen.clear()
