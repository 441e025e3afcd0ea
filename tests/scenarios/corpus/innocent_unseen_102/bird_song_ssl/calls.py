import torch


class CallBook:
    def __init__(self, species, dim):
        self.proto = torch.randn(species, dim)

    def pairs(self, n):
        s = torch.randint(0, len(self.proto), (n,))
        base = self.proto[s] + 0.5 * torch.randn(n, self.proto.size(1))
        return self._augment(base), self._augment(base), s

    @staticmethod
    def _augment(x):
        keep = (torch.rand_like(x) > 0.15).float()
        return x * keep * (0.8 + 0.4 * torch.rand(len(x), 1))
