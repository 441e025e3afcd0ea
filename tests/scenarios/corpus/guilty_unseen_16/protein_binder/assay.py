import torch

RESIDUES = 20


class MotifAssay:
    """Affinity from a hidden position-weight matrix, with assay noise."""

    def __init__(self, length, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.pwm = torch.randn(length, RESIDUES, generator=self.gen)
        self.length = length

    def measure(self, onehot):
        exact = (onehot * self.pwm).sum((1, 2)) / self.length ** 0.5
        return exact + 0.1 * torch.randn(len(onehot), generator=self.gen)

    def library(self, n):
        idx = torch.randint(RESIDUES, (n, self.length), generator=self.gen)
        onehot = torch.nn.functional.one_hot(idx, RESIDUES).float()
        return onehot, self.measure(onehot)
