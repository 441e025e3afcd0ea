import torch


class CalibrationJob:
    def __init__(self, number, length):
        self.number = number
        self.length = length
        self.gain = torch.randn(6)
        self.shift = torch.randn(())
        self.slope = torch.zeros(6, requires_grad=True)
        self.offset = torch.zeros((), requires_grad=True)
        self.trace = []

    @property
    def finished(self):
        return len(self.trace) >= self.length

    def sample(self, n):
        x = torch.randn(n, 6)
        return x, x @ self.gain + self.shift + 0.1 * torch.randn(n)

    def error(self, n):
        x, y = self.sample(n)
        return (x @ self.slope + self.offset - y).pow(2).mean()

    def advance(self, sizes):
        g_slope, g_offset = torch.autograd.grad(self.error(16), (self.slope, self.offset))
        self.slope = self.slope - sizes[0] * g_slope
        self.offset = self.offset - sizes[1] * g_offset

    def holdout_loss(self):
        loss = self.error(32)
        self.trace.append(loss)
        return loss
