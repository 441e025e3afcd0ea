import torch


def markov_text(n, vocab=16, seed=4):
    g = torch.Generator().manual_seed(seed)
    trans = torch.softmax(3 * torch.randn(vocab, vocab, generator=g), 1)
    draws = torch.stack([torch.multinomial(row, n, replacement=True, generator=g) for row in trans])
    out = torch.zeros(n, dtype=torch.long)
    for i in range(1, n):
        out[i] = draws[out[i - 1], i]
    return out


def batchify(tokens, batch):
    n = len(tokens) // batch
    return tokens[:n * batch].view(batch, n).t().contiguous()
