import torch


class GlyphStream:
    def __init__(self, n_cls, side):
        self.n_cls, self.dim = n_cls, side * side
        self.glyphs = (torch.rand(n_cls, self.dim) > 0.6).float()

    def batch(self, n):
        y = torch.randint(0, self.n_cls, (n,))
        keep = (torch.rand(n, self.dim) > 0.15).float()
        return self.glyphs[y] * keep + 0.3 * torch.randn(n, self.dim), y
