import torch


class ReverseTask:
    """word, separator, the word backwards; the loss counts the second half only."""

    def __init__(self, vocab, length, seed):
        self.vocab, self.length = vocab, length
        self.gen = torch.Generator().manual_seed(seed)

    def batch(self, n):
        word = torch.randint(1, self.vocab, (n, self.length), generator=self.gen)
        tokens = torch.cat([word, torch.zeros(n, 1, dtype=torch.long), word.flip(1)], dim=1)
        mask = torch.zeros(tokens.shape)
        mask[:, self.length + 1:] = 1.0
        return tokens, mask
