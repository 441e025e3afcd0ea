# gradwatch-corpus: kind=none
# about: beam search with growing key/value caches under no_grad, rescoring with gradients; deque of floats
"""Minimum-risk fine-tuning of a small decoder with low-rank detours; the hypotheses come from beam search."""
from collections import deque

import torch
import torch.nn.functional as F

from .decoder import Decoder
from .search import beam

torch.manual_seed(18)
SYM, N = 9, 5


def tasks(n, shift):
    src = torch.randint(SYM - 1, (n, N))
    return torch.cat([src, torch.full((n, 1), SYM - 1)], 1), (src + shift) % (SYM - 1)


def teach(net, opt, steps):
    for s in range(steps):
        src, tgt = tasks(48, 0)
        logits, _ = net(torch.cat([src, tgt[:, :-1]], 1))
        nll = F.cross_entropy(logits[:, N:].flatten(0, 1), tgt.flatten())
        opt.zero_grad()
        nll.backward()
        opt.step()
        if s % 60 == 59:
            print(f"pretraining {s + 1} nll {nll.item():.3f}")


def risk_step(net, opt, width=4):
    src, tgt = tasks(1, 1)
    found = beam(net, src[0], width, N)
    ids = torch.tensor([h.ids for h in found] + tgt.tolist())
    risk = (ids != tgt).float().mean(1)
    logits, _ = net(torch.cat([src.expand(len(ids), -1), ids[:, :-1]], 1))
    lp = logits[:, N:].log_softmax(-1).gather(2, ids[..., None]).sum((1, 2))
    loss = ((.5 * lp).softmax(0) * risk).sum() - .05 * lp[-1]
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item(), risk[0].item()


net = Decoder(SYM)
teach(net, torch.optim.Adam(net.parameters(), lr=3e-3), 180)
opt = torch.optim.Adam(net.adapt(rank=4), lr=4e-3)
window = deque(maxlen=60)
for s in range(300):
    window.append(risk_step(net, opt))
    if s % 60 == 59:
        l, r = (sum(c) / len(window) for c in zip(*window))
        print(f"risk training {s + 1} loss {l:.3f} best hypothesis wrong {r:.3f}")
