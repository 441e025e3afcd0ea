import torch


class CellFleet:
    """Charge curves of ageing cells; target is the state of health."""

    def __init__(self, cells: int, window: int) -> None:
        self.cells, self.window = cells, window
        self.age = torch.rand(cells)

    def sample(self, n: int):
        pick = torch.randint(self.cells, (n,))
        t = torch.linspace(0, 1, self.window)
        a = self.age[pick]
        volts = 3.2 + (1 - 0.3 * a)[:, None] * (1 - torch.exp(-3 * t)) + 0.05 * torch.randn(n, self.window)
        return volts, 1 - 0.3 * a
