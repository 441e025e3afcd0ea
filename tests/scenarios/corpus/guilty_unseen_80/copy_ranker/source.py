import torch

from contracts import Auction

class SyntheticAuctions:
    """Pairs of copies; the one with the better hidden word values was clicked."""

    def __init__(self, vocabulary, batch, seed, length=7):
        self._gen = torch.Generator().manual_seed(seed)
        self._value = torch.randn(vocabulary, generator=self._gen)
        self._shape = (batch, length)
        self._vocabulary = vocabulary

    def _copies(self):
        return torch.randint(self._vocabulary, self._shape, generator=self._gen)

    def stream(self):
        while True:
            a, b = self._copies(), self._copies()
            better = (self._value[a].sum(1) > self._value[b].sum(1)).unsqueeze(1)
            yield Auction(torch.where(better, a, b), torch.where(better, b, a))
