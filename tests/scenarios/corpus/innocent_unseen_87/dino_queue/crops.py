import torch


class MultiCrop:
    """Two global and several local views of vectors from a mixture."""

    def __init__(self, dim, local, modes=10):
        self.centres, self.local = 2 * torch.randn(modes, dim), local

    def view(self, x, keep):
        return x * (torch.rand_like(x) < keep) + 0.1 * torch.randn_like(x)

    def __call__(self, n):
        x = self.centres[torch.randint(0, len(self.centres), (n,))]
        x = x + 0.4 * torch.randn_like(x)
        return [self.view(x, 0.8) for _ in range(2)] + [self.view(x, 0.4) for _ in range(self.local)]
