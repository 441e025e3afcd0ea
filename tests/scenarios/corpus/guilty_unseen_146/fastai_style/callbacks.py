class Callback:
    learn = None

    def __getattr__(self, k):
        if k.startswith('_'):
            raise AttributeError(k)
        if k in ('model', 'pred', 'xb', 'yb', 'epoch', 'loss'):
            return getattr(self.learn, k)
        raise AttributeError(k)


class AvgMetric(Callback):
    def __init__(self, func):
        self.func = func
        self.vals = []
        self.ns = []

    def before_epoch(self):  # <- culprit
        self.vals = []
        self.ns = []

    def after_batch(self):
        n = len(self.yb)
        self.vals.append(self.func(self.pred, self.yb) * n)  # <- culprit
        self.ns.append(n)

    @property
    def value(self):
        return sum(float(v) for v in self.vals) / sum(self.ns)


class ProgressCB(Callback):
    def __init__(self, metric):
        self.metric = metric

    def after_epoch(self):
        if self.epoch % 6 == 0:
            print(self.epoch, round(self.metric.value, 4), round(float(self.loss), 4))
