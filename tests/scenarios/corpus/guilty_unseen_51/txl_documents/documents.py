import random

import torch


def document(n_tokens, batch, vocab=40):
    period = random.randint(5, 11)
    motif = torch.randint(vocab, (batch, period))
    reps = n_tokens // period + 2
    ids = motif.repeat(1, reps)[:, : n_tokens + 1]
    noise = torch.randint(vocab, ids.shape)
    return torch.where(torch.rand(ids.shape) < 0.05, noise, ids)


def curriculum(n_short, n_long, seg_len, batch):
    short = [document(random.randint(seg_len // 2, seg_len), batch) for _ in range(n_short)]
    long = [document(random.randint(2, 5) * seg_len, batch) for _ in range(n_long)]
    return sorted(short + long, key=lambda d: d.size(1))


def segments(doc, seg_len):
    for start in range(0, doc.size(1) - 1, seg_len):
        piece = doc[:, start: start + seg_len + 1]
        yield piece[:, :-1], piece[:, 1:]
