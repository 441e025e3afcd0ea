import torch


class Metric:
    def __init__(self):
        self.reset()

    def update(self, *args):
        raise NotImplementedError


class RunningMean(Metric):
    def reset(self):
        self.total, self.n = 0.0, 0

    def update(self, value, n=1):
        self.total += value.item() * n
        self.n += n

    def compute(self):
        return self.total / max(self.n, 1)


class R2Score(Metric):
    def reset(self):
        self.residual = torch.zeros(())
        self.sum_y = torch.zeros(())
        self.sum_yy = torch.zeros(())
        self.n = 0

    @torch.no_grad()
    def update(self, pred, target):
        self.residual = self.residual + (pred - target).pow(2).sum()
        self.sum_y = self.sum_y + target.sum()
        self.sum_yy = self.sum_yy + target.pow(2).sum()
        self.n += target.numel()

    def compute(self):
        spread = self.sum_yy - self.sum_y ** 2 / self.n
        return (1 - self.residual / spread).item()


class Collection:
    def __init__(self, **metrics):
        self.metrics = metrics

    def update(self, **values):
        for name, args in values.items():
            self.metrics[name].update(*args)

    def compute(self):
        return {name: round(m.compute(), 4) for name, m in self.metrics.items()}

    def reset(self):
        for m in self.metrics.values():
            m.reset()
