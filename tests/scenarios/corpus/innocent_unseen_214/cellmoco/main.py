# gradwatch-corpus: kind=none
"""Contrastive embedding of single-cell counts, momentum encoder + key bank."""
import copy

import torch
import torch.nn.functional as F

from bank import KeyBank
from encoder import GeneEncoder


def cells(n, profiles, g):
    t = torch.randint(0, len(profiles), (n,), generator=g)
    depth = torch.exp(0.3 * torch.randn(n, 1, generator=g))
    return torch.poisson(depth * profiles[t], generator=g).log1p(), t


def drop(x, g, p=0.3):
    return x * (torch.rand(x.shape, generator=g) > p) / (1 - p)


def main(iters=150, batch=32, m=0.98, temp=0.15):
    torch.manual_seed(40)
    g = torch.Generator().manual_seed(40)
    profiles = torch.rand(7, 200, generator=g).pow(4) * 6
    q_enc = GeneEncoder()
    k_enc = copy.deepcopy(q_enc)
    for p in k_enc.parameters():
        p.requires_grad = False
    bank = KeyBank(24, 512)
    opt = torch.optim.AdamW(q_enc.parameters(), 1e-3)
    label = torch.zeros(batch, dtype=torch.long)
    log = []
    for it in range(iters):
        x, t = cells(batch, profiles, g)
        q = q_enc(drop(x, g))
        k = k_enc(drop(x, g))
        pos = (q * k).sum(-1, keepdim=True)
        logits = torch.cat([pos, bank.negatives(q)], 1) / temp
        loss = F.cross_entropy(logits, label)
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for a, b in zip(k_enc.parameters(), q_enc.parameters()):
                a.lerp_(b, 1 - m)
        bank.push(k)
        log.append((loss.item(), (logits.argmax(1) == 0).float().mean().item()))
        if it % 50 == 49:
            last = log[-50:]
            print(it + 1, "loss %.3f top1 %.2f" % tuple(sum(c) / len(last) for c in zip(*last)),
                  "act %.3f" % q_enc.last_activation.mean().item())


if __name__ == "__main__":
    main()
