import torch


def sentiment_batches(n, seed, bs=32, length=10, vocab=60):
    g = torch.Generator().manual_seed(seed)
    polarity = torch.randn(vocab, generator=torch.Generator().manual_seed(99))
    out = []
    for _ in range(n):
        tok = torch.randint(0, vocab, (bs, length), generator=g)
        out.append((tok, (polarity[tok].sum(1) > 0).long()))
    return out
