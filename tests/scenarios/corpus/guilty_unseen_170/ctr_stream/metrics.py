import torch


class StreamingMetric:
    """Base of metrics that gather scores and labels and reduce them when asked."""

    def __init__(self):
        self.scores = torch.empty(0)
        self.labels = torch.empty(0)

    def update(self, scores, labels):
        self.scores = torch.cat([self.scores, scores.detach().flatten()])  # <- culprit
        self.labels = torch.cat([self.labels, labels.flatten()])  # <- culprit

    def window(self, n):
        return self.scores[-n:], self.labels[-n:]


class RankingAUC(StreamingMetric):
    def __init__(self, window=4000):
        super().__init__()
        self.size = window

    def compute(self):
        s, y = self.window(self.size)
        order = s.argsort()
        rank = torch.empty_like(s)
        rank[order] = torch.arange(1, len(s) + 1, dtype=s.dtype)
        pos = y.sum()
        neg = len(y) - pos
        return ((rank[y > 0].sum() - pos * (pos + 1) / 2) / (pos * neg).clamp(min=1)).item()
