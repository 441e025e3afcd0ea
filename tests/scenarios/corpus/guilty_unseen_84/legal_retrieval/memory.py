import torch
import torch.nn.functional as F


class TopicMemory:
    """Running centroid of the clauses of each topic."""

    def __init__(self, n_topics, dim, momentum):
        self.n_topics, self.momentum = n_topics, momentum
        self.table = F.normalize(torch.randn(n_topics, dim), dim=-1)

    def _batch_mean(self, keys, topic):
        hot = F.one_hot(topic, self.n_topics).to(keys.dtype)
        count = hot.sum(0).clamp(min=1).unsqueeze(-1)
        present = (hot.sum(0) > 0).to(keys.dtype).unsqueeze(-1)
        return hot.t() @ keys / count, present

    def fold(self, keys, topic):
        mean, present = self._batch_mean(keys, topic)  # <- culprit
        rate = (1 - self.momentum) * present
        self.table = self.table * (1 - rate) + mean * rate  # <- culprit
        return self.table  # <- culprit
