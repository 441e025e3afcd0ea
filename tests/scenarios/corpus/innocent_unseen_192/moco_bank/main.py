# gradwatch-corpus: kind=none
import copy

import torch
import torch.nn.functional as F
from torch import nn

from bank import MemoryBank


def views(steps, batch=32, dim=16, seed=3):
    gen = torch.Generator().manual_seed(seed)
    protos = torch.randn(10, dim, generator=gen)
    for _ in range(steps):
        x = protos[torch.randint(10, (batch,), generator=gen)] + 0.3 * torch.randn(batch, dim, generator=gen)
        noise = 0.2 * torch.randn(2, batch, dim, generator=gen)
        yield x + noise[0], x + noise[1]


@torch.no_grad()
def momentum_update(query, key, m):
    for q, k in zip(query.parameters(), key.parameters()):
        k.mul_(m).add_(q, alpha=1 - m)


def main(steps=420, tau=0.2, m=0.99):
    torch.manual_seed(0)
    query = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 12))
    key = copy.deepcopy(query)
    bank = MemoryBank(size=256, dim=12)
    opt = torch.optim.SGD(query.parameters(), lr=0.05, momentum=0.9)
    history = {"loss": [], "pos": []}
    for step, (a, b) in enumerate(views(steps)):
        q, k = F.normalize(query(a), dim=1), F.normalize(key(b), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        logits = torch.cat([pos, q @ bank.keys.T], 1) / tau
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        opt.zero_grad()
        loss.backward()
        opt.step()
        momentum_update(query, key, m)
        bank.enqueue(k)
        key.zero_grad()
        history["loss"].append(loss.detach())
        history["pos"].append(pos.mean().item())
        if step % 70 == 0:
            print(step, torch.stack(history["loss"][-20:]).mean().item(), history["pos"][-1])


if __name__ == "__main__":
    main()
