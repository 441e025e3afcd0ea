import torch


class Clinic:
    def __init__(self):
        self.gain = torch.rand(()) * 2 + 0.5
        self.shift = torch.rand(()) * 2 - 1

    def patients(self, n):
        dose = torch.rand(n, 1) * 4 - 2
        return dose, self.gain * torch.sigmoid(2 * (dose - self.shift)) + 0.02 * torch.randn(n, 1)
