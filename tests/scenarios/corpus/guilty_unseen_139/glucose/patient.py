import torch


class Patient:
    def __init__(self):
        self.response = torch.randn(8) * 0.4

    def sample(self, n, sensor_dropout=False):
        lagged = torch.randn(n, 8)
        ahead = lagged @ self.response + 0.1 * torch.randn(n)
        if sensor_dropout and n > 32:
            ahead[::7] = float("nan")
        return lagged, ahead
