import torch


class TicketPairs:
    """Fake support tickets: each class has its own favourite words."""

    def __init__(self, vocab, classes, length=8, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.classes, self.length = classes, length
        self.probs = torch.rand(classes, vocab, generator=self.g).pow(6)

    def draw(self, y):
        return torch.multinomial(self.probs[y], self.length, replacement=True, generator=self.g)

    def batch(self, n):
        yl = torch.randint(self.classes, (n,), generator=self.g)
        yr = torch.randint(self.classes, (n,), generator=self.g)
        yr[: n // 2] = yl[: n // 2]
        return self.draw(yl), self.draw(yr), yl, yr
