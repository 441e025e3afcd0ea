import torch


class Kiln:
    def __init__(self, lag, peak):
        self.lag = lag
        self.peak = peak

    def readings(self, n):
        t = torch.rand(n, 1)
        temp = self.peak * torch.sigmoid(10 * (t - self.lag))
        return t, temp


class KilnFactory:
    def build(self):
        lag, peak = torch.rand(2).tolist()
        return Kiln(0.3 + 0.4 * lag, 0.5 + peak)
