import torch.nn as nn


class LossWithMemory(nn.Module):
    """base class, remembers the moving average of every part"""

    def __init__(self, names, momentum):
        super().__init__()
        self.names = list(names)
        self.momentum = momentum
        self.avg = {}

    def update(self, name, value):
        if name not in self.avg:
            self.avg[name] = value  # <- culprit
        else:
            self.avg[name] = self.momentum * self.avg[name] + (1 - self.momentum) * value  # <- culprit
        return self.avg[name]

    def __repr__(self):
        return ' '.join('%s=%.3f' % (n, 1 / float(a)) for n, a in self.avg.items())


class BalancedLoss(LossWithMemory):
    def __init__(self, names, momentum=0.9):
        super().__init__(names, momentum)
        self.base = nn.SmoothL1Loss()

    def forward(self, pred, target):
        total = 0
        for n in self.names:
            l = self.base(pred[n], target[n])
            total = total + l / (self.update(n, l) + 1e-4)  # <- culprit
        return total / len(self.names)
