# gradwatch-corpus: kind=none
"""Minimum-risk training: a beam of hypotheses whose states and scores have a graph."""
from dataclasses import dataclass
from typing import Tuple
import torch
from torch import nn, Tensor


@dataclass
class Hyp:
    toks: Tuple[int, ...]
    score: Tensor
    state: Tensor
    parent: "Hyp" = None


class Decoder(nn.Module):
    def __init__(self, v=7, d=16):
        super().__init__()
        self.emb, self.cell, self.out = nn.Embedding(v, d), nn.GRUCell(d, d), nn.Linear(d, v)
        self.beam = []

    def step(self, tok, h):
        h = self.cell(self.emb(torch.tensor([tok])), h)
        return self.out(h).log_softmax(-1)[0], h

    def search(self, ctx, length, width=3):
        self.beam = [Hyp((0,), torch.zeros(()), ctx)]
        for _ in range(length):
            cand = []
            for hyp in self.beam:
                lp, h = self.step(hyp.toks[-1], hyp.state)
                for t in lp.topk(width).indices.tolist():
                    cand.append(Hyp(hyp.toks + (t,), hyp.score + lp[t], h, hyp))
            cand.sort(key=lambda c: -c.score.item())
            self.beam = cand[:width]
        return self.beam


torch.manual_seed(32)
dec, ctx = Decoder(), nn.Linear(3, 16)
opt = torch.optim.Adam([*dec.parameters(), *ctx.parameters()], lr=3e-3)
best = []
for it in range(120):
    c = torch.randn(1, 3)
    want = 1 + int(c.argmax())
    hyps = dec.search(torch.tanh(ctx(c)), 4)
    p = torch.stack([h.score for h in hyps]).softmax(0)
    risk = torch.tensor([sum(t != want for t in h.toks[1:]) / 4 for h in hyps])
    loss = (p * risk).sum() - 0.02 * hyps[0].score / 4
    opt.zero_grad()
    loss.backward()
    opt.step()
    best.append((hyps[0].toks, hyps[0].score.item()))
    if it % 30 == 0:
        print(it, "%.4f" % loss.item(), best[-1])
