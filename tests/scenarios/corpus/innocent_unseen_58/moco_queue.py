# gradwatch-corpus: kind=none
"""MoCo with a python deque as the queue."""
from collections import deque
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class MoCo(nn.Module):
    def __init__(self, dim=20, out=16, m=0.99, tau=0.1, queue_batches=6):
        super().__init__()
        self.q = nn.Sequential(nn.Linear(dim, 48), nn.ReLU(), nn.Linear(48, out))
        self.k = copy.deepcopy(self.q)
        for p in self.k.parameters():
            p.requires_grad = False
        self.m, self.tau = m, tau
        self.queue = deque([F.normalize(torch.randn(32, out), dim=1)], maxlen=queue_batches)

    @torch.no_grad()
    def momentum_update(self):
        for pq, pk in zip(self.q.parameters(), self.k.parameters()):
            pk.mul_(self.m).add_(pq, alpha=1 - self.m)

    def forward(self, xq, xk):
        q = F.normalize(self.q(xq), dim=1)
        with torch.no_grad():
            self.momentum_update()
            k = F.normalize(self.k(xk), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ torch.cat(list(self.queue)).t()
        self.queue.append(k)
        logits = torch.cat([pos, neg], 1) / self.tau
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = MoCo()
    opt = torch.optim.SGD(model.q.parameters(), lr=0.05, momentum=0.9)
    centers = torch.randn(8, 20) * 2
    recent = deque(maxlen=20)
    for step in range(150):
        base = centers[torch.randint(0, 8, (32,))]
        loss = model(base + 0.5 * torch.randn_like(base), base + 0.5 * torch.randn_like(base))
        opt.zero_grad()
        loss.backward()
        opt.step()
        recent.append(loss.detach())
        if step % 30 == 0:
            print(step, torch.stack(list(recent)).mean().item())


if __name__ == "__main__":
    main()
