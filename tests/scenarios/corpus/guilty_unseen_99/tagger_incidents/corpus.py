import torch


class ToyTreebank:
    """Tags depend on the word and on its left neighbour.

    Sections alternate: prose sections contain clause ends, headline sections contain none.
    """

    CLAUSE_END = 0

    def __init__(self, vocab, tags):
        self.vocab, self.tags = vocab, tags
        self.emit = torch.randint(tags, (vocab,))

    def batch(self, it, size=6, length=10):
        low = 4 if it % 2 else 0
        words = torch.randint(low, self.vocab, (size, length))
        if not it % 2:
            words[:, -1] = self.CLAUSE_END
        left = torch.roll(words, 1, dims=1)
        tags = (self.emit[words] + (left % 2)) % self.tags
        boundary = words < 4
        return words, tags, boundary
