from torch import nn

from .quant import QLinear


class Spotter(nn.Module):
    def __init__(self, bands, words):
        super().__init__()
        self.first = QLinear(bands, 32)
        self.second = QLinear(32, words)

    def tick(self, n):
        for m in self.modules():
            if isinstance(m, QLinear):
                m.calibrate(n)

    def forward(self, x):
        return self.second(self.first(x).relu())

    def ranges(self):
        return [round(float(m.observer.reach), 3) for m in (self.first, self.second)]
