import torch.nn.functional as F


class Store(object):
    """anything with a level (barrel, battery, wallet ...)"""

    def __init__(self, start):
        self.level = start

    def put(self, v):
        self.level = self.level + v

    def take(self, v):
        self.level = self.level - v  # <- culprit
        return self.level

    def __float__(self):
        return float(self.level)


class RainBarrel(Store):
    ROOF = 6.0     # m2

    def __init__(self, start, reserve):
        super().__init__(start)
        self.reserve = reserve

    def rain(self, mm):
        self.put(mm * self.ROOF * 0.4)

    def shortage(self, used):
        lvl = self.take(used)
        # smooth version of max(0, reserve - level)
        return F.softplus(self.reserve - lvl)
