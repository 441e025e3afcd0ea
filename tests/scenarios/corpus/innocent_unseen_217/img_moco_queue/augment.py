import torch


class TextureViews:
    def __init__(self, classes, size):
        self.base = torch.randn(classes, 3, size, size)

    def _aug(self, x):
        if torch.rand(()) < 0.5:
            x = x.flip(-1)
        return torch.roll(x, int(torch.randint(-2, 3, ())), -1) + 0.3 * torch.randn_like(x)

    def __call__(self, n):
        x = self.base[torch.randint(0, len(self.base), (n,))]
        return self._aug(x), self._aug(x)
