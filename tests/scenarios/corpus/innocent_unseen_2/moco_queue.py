# gradwatch-corpus: kind=none
"""MoCo: momentum encoder, ring-buffer queue of keys."""
import copy
import torch
from torch import nn
import torch.nn.functional as F


class MoCo(nn.Module):
    def __init__(self, base, dim=12, K=128, m=0.99, T=0.2):
        super().__init__()
        self.q, self.k = base, copy.deepcopy(base)
        for p in self.k.parameters():
            p.requires_grad = False
        self.m, self.T, self.ptr = m, T, 0
        self.register_buffer("queue", F.normalize(torch.randn(K, dim), dim=1))

    @torch.no_grad()
    def _momentum(self):
        for a, b in zip(self.q.parameters(), self.k.parameters()):
            b.mul_(self.m).add_(a, alpha=1 - self.m)

    @torch.no_grad()
    def _enqueue(self, keys):
        n = len(keys)
        self.queue[self.ptr:self.ptr + n] = keys
        self.ptr = (self.ptr + n) % len(self.queue)

    def forward(self, a, b):
        q = F.normalize(self.q(a), dim=1)
        with torch.no_grad():
            self._momentum()
            k = F.normalize(self.k(b), dim=1)
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ self.queue.clone().t()], 1) / self.T
        self._enqueue(k)
        return F.cross_entropy(logits, logits.new_zeros(len(q), dtype=torch.long))


torch.manual_seed(31)
moco = MoCo(nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 12)))
opt = torch.optim.SGD(moco.q.parameters(), 0.1, momentum=0.9)
proto = torch.randn(12, 20)
aug = lambda v: v + 0.3 * torch.randn_like(v)
for it in range(160):
    v = proto[torch.randint(0, 12, (16,))]
    loss = moco(aug(v), aug(v))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 40 == 0:
        print(it, "%.4f" % loss.item())
