import itertools

import torch

BUCKETS = (5, 8, 11, 14)


def bucketed(steps, vocab, size=8):
    """Length-bucketed batches, round robin over the buckets."""
    for n in itertools.islice(itertools.cycle(BUCKETS), steps):
        tok = torch.randint(0, vocab, (size, n))
        left = torch.cat([torch.zeros(size, 1, dtype=torch.long), tok[:, :-1]], 1)
        yield tok, (tok > left).long() + (tok % 5 == 0).long()
