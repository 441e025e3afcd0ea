import torch


class Metric:
    def reset(self):
        raise NotImplementedError

    def update(self, preds, target):
        raise NotImplementedError

    def compute(self):
        raise NotImplementedError


class Accuracy(Metric):
    def __init__(self, threshold=0.5):
        self.threshold = threshold
        self.reset()

    def reset(self):
        self.correct = 0
        self.seen = 0

    def update(self, preds, target):
        hard = (preds > self.threshold).float()
        self.correct += int((hard == target).sum())
        self.seen += target.numel()

    def compute(self):
        return self.correct / max(self.seen, 1)


class AUROC(Metric):
    def __init__(self):
        self.reset()

    def reset(self):
        self.scores = []
        self.targets = []

    def update(self, preds, target):
        self.scores.append(preds)  # <- culprit
        self.targets.append(target)

    @torch.no_grad()
    def compute(self):
        scores = torch.cat(self.scores)
        targets = torch.cat(self.targets)
        order = scores.argsort()
        ranks = torch.empty_like(scores)
        ranks[order] = torch.arange(1, len(scores) + 1, dtype=scores.dtype)
        pos = targets.sum()
        neg = len(targets) - pos
        return ((ranks[targets == 1].sum() - pos * (pos + 1) / 2) / (pos * neg)).item()


class MetricCollection:
    def __init__(self, **metrics):
        self.metrics = metrics

    def update(self, preds, target):
        for metric in self.metrics.values():
            metric.update(preds, target)

    def compute(self):
        return {name: metric.compute() for name, metric in self.metrics.items()}

    def reset(self):
        for metric in self.metrics.values():
            metric.reset()
