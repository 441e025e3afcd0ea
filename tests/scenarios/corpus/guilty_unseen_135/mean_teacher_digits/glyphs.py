import torch


class GlyphSource:
    def __init__(self, classes=5, side=10):
        self.glyphs = (torch.rand(classes, 1, side, side) > 0.6).float()

    def _noisy(self, idx):
        base = self.glyphs[idx]
        shift = int(torch.randint(-1, 2, (1,)))
        return torch.roll(base, shift, dims=-1) + 0.3 * torch.randn_like(base)

    def labelled(self, n):
        y = torch.randint(0, len(self.glyphs), (n,))
        return self._noisy(y), y

    def two_views(self, n):
        y = torch.randint(0, len(self.glyphs), (n,))
        return self._noisy(y), self._noisy(y)
