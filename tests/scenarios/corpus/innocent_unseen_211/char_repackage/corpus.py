import torch


def make_stream(n, vocab=20, seed=4):
    g = torch.Generator().manual_seed(seed)
    noise = torch.randint(0, 3, (n,), generator=g)
    s = torch.zeros(n, dtype=torch.long)
    for i in range(2, n):
        s[i] = (3 * s[i - 1] + s[i - 2] + noise[i]) % vocab
    return s


def batchify(s, bsz):
    n = len(s) // bsz
    return s[:n * bsz].view(bsz, n).t().contiguous()
