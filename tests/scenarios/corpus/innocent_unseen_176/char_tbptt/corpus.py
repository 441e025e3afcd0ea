from __future__ import annotations

from typing import Iterator

import torch


def markov_text(length: int, vocab: int, seed: int) -> torch.Tensor:
    g = torch.Generator().manual_seed(seed)
    table = torch.softmax(3 * torch.randn(vocab, vocab, generator=g), -1)
    out = torch.empty(length, dtype=torch.long)
    cur = 0
    for i in range(length):
        cur = int(torch.multinomial(table[cur], 1, generator=g))
        out[i] = cur
    return out


def chunks(text: torch.Tensor, batch: int, bptt: int) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    usable = (len(text) - 1) // batch * batch
    src = text[:usable].view(batch, -1)
    tgt = text[1 : usable + 1].view(batch, -1)
    for start in range(0, src.shape[1] - bptt, bptt):
        yield src[:, start : start + bptt], tgt[:, start : start + bptt]
