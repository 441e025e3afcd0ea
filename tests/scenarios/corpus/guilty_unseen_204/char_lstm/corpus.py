import torch


def tape(length, rows=6, vocab=9, seed=0):
    gen = torch.Generator().manual_seed(seed)
    out = torch.zeros(rows, length, dtype=torch.long)
    out[:, :2] = torch.randint(0, vocab, (rows, 2), generator=gen)
    jumps = (torch.rand(rows, length, generator=gen) < 0.05).long()
    for t in range(2, length):
        out[:, t] = (out[:, t - 1] + out[:, t - 2] + jumps[:, t]) % vocab
    return out


def windows(count, width=8):
    text = tape(count * width + 1)
    for i in range(count):
        lo = i * width
        yield text[:, lo:lo + width], text[:, lo + 1:lo + width + 1]
