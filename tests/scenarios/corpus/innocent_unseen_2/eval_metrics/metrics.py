import torch


class Metric:
    def compute(self):
        raise NotImplementedError

    def reset(self):
        self.__init__()


class MeanMeter(Metric):
    def __init__(self):
        self.total, self.n = torch.zeros(()), 0

    def update(self, v):
        with torch.no_grad():
            self.total += v
        self.n += 1

    def compute(self):
        return (self.total / max(1, self.n)).item()


class F1(Metric):
    def __init__(self):
        self.tp = self.fp = self.fn = 0

    def update(self, pred, y):
        y = y.bool()
        self.tp += (pred & y).sum().item()
        self.fp += (pred & ~y).sum().item()
        self.fn += (~pred & y).sum().item()

    def compute(self):
        return 2 * self.tp / max(1, 2 * self.tp + self.fp + self.fn)


class MetricDict(dict):
    def compute(self):
        return {k: round(m.compute(), 4) for k, m in self.items()}

    def reset(self):
        for m in self.values():
            m.reset()
