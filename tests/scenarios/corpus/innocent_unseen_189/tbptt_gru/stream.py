import torch


class Lanes:
    """Parallel endless walks over a random transition table."""

    def __init__(self, rows, vocab, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.table = torch.softmax(3 * torch.randn(vocab, vocab, generator=self.g), 1)
        self.cur = torch.randint(vocab, (rows,), generator=self.g)

    def next(self, n):
        seq = [self.cur]
        for _ in range(n):
            seq.append(torch.multinomial(self.table[seq[-1]], 1, generator=self.g).squeeze(1))
        self.cur = seq[-1]
        seq = torch.stack(seq, 1)
        return seq[:, :-1], seq[:, 1:]
