import torch


class AssayBook:
    """Each drug has its own Hill curve; an assay is a handful of wells of it."""

    def __init__(self, drugs):
        self.names = [f"drug-{chr(65 + i)}" for i in range(drugs)]
        self.ec50 = dict(zip(self.names, torch.rand(drugs) * 4 - 2))
        self.hill = dict(zip(self.names, 0.8 + 2 * torch.rand(drugs)))

    def pick(self, k):
        return [self.names[i] for i in torch.randperm(len(self.names))[:k].tolist()]

    def _wells(self, name, n):
        dose = torch.rand(n, 1) * 8 - 4
        effect = torch.sigmoid(self.hill[name] * (dose - self.ec50[name]))
        return dose, effect + 0.03 * torch.randn(n, 1)

    def draw(self, name):
        return self._wells(name, 8), self._wells(name, 16)
