"""Streaming metrics in the manner of torchmetrics, minus everything we do not need."""
import torch

REGISTRY = {}


def register(name):
    def wrap(cls):
        REGISTRY[name] = cls
        return cls
    return wrap


class Metric:
    """Base class: subclasses name their states, the base class stores them."""
    lists = ()
    sums = ()

    def __init__(self):
        self.reset()

    def reset(self):
        self._state = {name: [] for name in self.lists}
        self._state.update({name: 0.0 for name in self.sums})

    def keep(self, **values):
        for name, value in values.items():
            if name in self.lists:
                self._state[name].append(value)  # <- culprit
            else:
                self._state[name] += float(value)

    def __getitem__(self, name):
        return self._state[name]

    def update(self, logits, target):
        raise NotImplementedError

    def compute(self):
        raise NotImplementedError


@register("average_precision")
class AveragePrecision(Metric):
    lists = ("scores", "targets")

    def update(self, logits, target):
        self.keep(scores=torch.sigmoid(logits), targets=target)  # <- culprit

    @torch.no_grad()
    def compute(self):
        scores, target = torch.cat(self["scores"]), torch.cat(self["targets"])
        target = target[scores.argsort(descending=True)]
        precision = target.cumsum(0) / torch.arange(1, len(target) + 1)
        return ((precision * target).sum() / target.sum()).item()


@register("base_rate")
class BaseRate(Metric):
    sums = ("gone", "n")

    def update(self, logits, target):
        self.keep(gone=target.sum(), n=len(target))

    def compute(self):
        return self["gone"] / self["n"]


@register("accuracy")
class Accuracy(Metric):
    sums = ("right", "n")

    def update(self, logits, target):
        self.keep(right=((logits > 0) == target.bool()).sum(), n=len(target))

    def compute(self):
        return self["right"] / self["n"]


class MetricPanel:
    def __init__(self, *names):
        self.metrics = {name: REGISTRY[name]() for name in names}

    def update(self, logits, target):
        for metric in self.metrics.values():
            metric.update(logits, target)

    def compute(self):
        return {name: metric.compute() for name, metric in self.metrics.items()}
