import torch


class Cell:
    def __init__(self, fade, knee, temp):
        self.fade, self.knee, self.temp = fade, knee, temp

    def measure(self, n):
        cycles = torch.rand(n) * 2
        warm = torch.rand(n)
        cap = 1 - self.fade * cycles - self.temp * warm * cycles
        cap = cap - 0.5 * torch.sigmoid(8 * (cycles - self.knee))
        return torch.stack([cycles, warm], dim=1), cap + 0.01 * torch.randn(n)


class CellFamily:
    def draw(self):
        u = torch.rand(3).tolist()
        return Cell(0.1 + 0.3 * u[0], 1.0 + u[1], 0.2 * u[2])
