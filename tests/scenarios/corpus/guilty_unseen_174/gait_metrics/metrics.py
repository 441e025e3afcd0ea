"""Metric objects and the tracker that feeds them."""
METRICS = {}


def register(name):
    def wrap(cls):
        METRICS[name] = cls
        return cls
    return wrap


class Metric:
    def __init__(self):
        self.reset()

    def reset(self):
        self.weight = 0
        self.total = 0

    def value(self, outputs):
        raise NotImplementedError

    def update(self, outputs):
        n = outputs["size"]
        self.total = self.total + self.value(outputs) * n  # <- culprit
        self.weight += n

    def compute(self):
        return float(self.total) / max(self.weight, 1)


@register("accuracy")
class Accuracy(Metric):
    def value(self, outputs):
        return (outputs["logits"].argmax(-1) == outputs["labels"]).float().mean()


@register("nll")
class NegativeLogLikelihood(Metric):
    def value(self, outputs):
        return outputs["loss"]


class MetricTracker:
    def __init__(self, names):
        self.metrics = {n: METRICS[n]() for n in names}

    def update(self, outputs):
        for m in self.metrics.values():
            m.update(outputs)

    def report(self):
        return "  ".join(f"{n}={m.compute():.4f}" for n, m in self.metrics.items())
