from collections import deque

_METRICS = {}


def make_metric(kind, **kw):
    return _METRICS[kind](**kw)


class Metric:
    def __init_subclass__(cls, kind=None, **kw):
        super().__init_subclass__(**kw)
        _METRICS[kind] = cls

    def update(self, value):
        raise NotImplementedError

    def compute(self):
        raise NotImplementedError


class Ema(Metric, kind="ema"):
    def __init__(self, decay):
        self.decay = decay
        self.value = None

    def update(self, x):
        if self.value is None:
            self.value = x
        else:
            self.value = self.decay * self.value + (1 - self.decay) * x  # <- culprit

    def compute(self):
        return self.value.item()


class WindowMean(Metric, kind="mean"):
    def __init__(self, window):
        self.items = deque(maxlen=window)

    def update(self, x):
        self.items.append(float(x))

    def compute(self):
        return sum(self.items) / max(len(self.items), 1)


class MetricCollection(dict):
    def update_all(self, **values):
        for name, v in values.items():
            self[name].update(v)

    def compute(self):
        return {name: m.compute() for name, m in self.items()}
