import torch


class Tissues:
    def __init__(self, genes, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.programs = torch.randn(3, genes, generator=self.g) / genes ** 0.5
        self.genes = genes

    def draw(self, mix, n):
        x = torch.randn(len(mix), n, self.genes, generator=self.g)
        y = torch.einsum("tng,pg,tp->tn", x, self.programs, mix)
        return x, torch.sin(1.5 * y) + 0.05 * torch.randn(y.shape, generator=self.g)

    def tasks(self, n):
        mix = torch.randn(n, 3, generator=self.g)
        return self.draw(mix, 12), self.draw(mix, 24)
