import heapq
from typing import NamedTuple

import torch


class Hypothesis(NamedTuple):
    score: float
    ids: list
    past: list


@torch.no_grad()
def beam(net, prompt, width, length):
    """keys and values of the prompt are computed once and shared by all hypotheses"""
    logits, past = net(prompt[None])
    live = [Hypothesis(0., [], past)]
    lp = logits[:, -1].log_softmax(-1)
    for _ in range(length):
        cand = []
        for h in range(len(live)):
            top = lp[h].topk(width)
            cand += [(live[h].score + s, h, w) for s, w in zip(top.values.tolist(), top.indices.tolist())]
        best = heapq.nlargest(width, cand)
        parents = [live[h] for _, h, _ in best]
        stacked = [tuple(torch.cat([p.past[l][j] for p in parents]) for j in (0, 1)) for l in range(len(past))]
        logits, grown = net(torch.tensor([[w] for *_, w in best]), stacked)
        lp = logits[:, -1].log_softmax(-1)
        live = [Hypothesis(s, parents[i].ids + [w], [(k[i:i + 1], v[i:i + 1]) for k, v in grown]) for i, (s, _, w) in enumerate(best)]
    return live
