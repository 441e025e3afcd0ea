import torch


class LeafTiles:
    """12x12 one-channel tiles; each disease is a spot pattern plus noise."""

    def __init__(self, classes):
        self.patterns = torch.randn(classes, 1, 12, 12).clamp(-1, 1)

    def draw(self, n):
        label = torch.randint(len(self.patterns), (n,))
        return self.patterns[label] + 1.2 * torch.randn(n, 1, 12, 12), label
