import torch


class Sensor:
    def __init__(self, gain, bend, offset, g):
        self.gain, self.bend, self.offset, self.g = gain, bend, offset, g

    def measure(self, n):
        pressure = torch.rand(n, 1, generator=self.g) * 4 - 2
        volt = self.gain * torch.tanh(self.bend * pressure) + self.offset
        return volt + 0.01 * torch.randn(n, 1, generator=self.g), pressure


class SensorPark:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def pick(self, n):
        for gain, bend, offset in torch.rand(n, 3, generator=self.g).tolist():
            yield Sensor(0.8 + gain, 0.4 + 0.6 * bend, offset - 0.5, self.g)
