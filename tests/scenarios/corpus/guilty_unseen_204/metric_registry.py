# gradwatch-corpus: kind=graph-held
# holder: self._values | metric._values | metrics.metrics[1]._values
# first-bad: 1
import torch
from torch import nn
from torch.nn import functional as F

METRICS = {}


def register(name):
    def wrap(cls):
        METRICS[name] = cls
        cls.name = name
        return cls
    return wrap


class Metric:
    name = "metric"

    def update(self, outputs):
        raise NotImplementedError

    @property
    def value(self):
        raise NotImplementedError


@register("accuracy")
class Accuracy(Metric):
    def __init__(self):
        self.hits = 0
        self.total = 0

    def update(self, outputs):
        self.hits += int((outputs["logits"].argmax(1) == outputs["labels"]).sum())
        self.total += len(outputs["labels"])

    @property
    def value(self):
        return self.hits / max(1, self.total)


@register("margin_median")
class MarginMedian(Metric):
    def __init__(self):
        self._values = []

    def margin(self, logits, labels):
        own = logits.gather(1, labels[:, None]).squeeze(1)
        rest = logits.scatter(1, labels[:, None], float("-inf"))
        return own - rest.max(1).values

    def update(self, outputs):
        m = self.margin(outputs["logits"], outputs["labels"])
        self._values.append(m.mean())  # <- culprit

    @property
    def value(self):
        return float(torch.stack(self._values).median())


class MetricSet:
    def __init__(self, names):
        self.metrics = [METRICS[n]() for n in names]

    def update(self, **outputs):
        for metric in self.metrics:
            metric.update(outputs)

    def report(self):
        return {m.name: round(m.value, 4) for m in self.metrics}


class SpectraClassifier(nn.Module):
    def __init__(self, bands=32, classes=5):
        super().__init__()
        self.conv = nn.Conv1d(1, 4, 5, padding=2)
        self.head = nn.Linear(4 * bands, classes)

    def forward(self, x):
        h = F.relu(self.conv(x[:, None]))
        return self.head(h.flatten(1))


def spectra(gen, templates, n=24):
    labels = torch.randint(0, len(templates), (n,), generator=gen)
    noise = 0.5 * torch.randn(n, templates.shape[1], generator=gen)
    return templates[labels] + noise, labels


def run(steps=450):
    torch.manual_seed(5)
    gen = torch.Generator().manual_seed(6)
    templates = torch.randn(5, 32, generator=gen)
    model = SpectraClassifier()
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    metrics = MetricSet(["accuracy", "margin_median"])
    for step in range(steps):
        x, y = spectra(gen, templates)
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        metrics.update(logits=logits, labels=y)
        if step % 150 == 149:
            print(step + 1, metrics.report())


if __name__ == "__main__":
    run()
