import torch


class Chronicle:
    """Bags of words; each office prefers its own part of the lexicon."""

    def __init__(self, lexicon, offices):
        self.offices = offices
        taste = torch.randn(offices, lexicon) * 1.2
        self.taste = torch.softmax(taste, dim=1)

    def read(self, count):
        office = torch.randint(0, self.offices, (count,))
        drawn = torch.multinomial(self.taste[office], 12, replacement=True)
        words = torch.zeros(count, self.taste.shape[1])
        words.scatter_add_(1, drawn, torch.ones_like(drawn, dtype=torch.float))
        return words / 12.0, office
