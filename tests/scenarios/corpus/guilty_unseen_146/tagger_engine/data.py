import torch


def sentences(n, bs, length=7, vocab=20):
    out = []
    for _ in range(n):
        w = torch.randint(0, vocab, (bs, length))
        prev = torch.roll(w, 1, 1)
        out.append((w, (w + prev) % 4))
    return out
