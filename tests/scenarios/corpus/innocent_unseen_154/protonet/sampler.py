import torch


class EpisodicSampler:
    """Yields indices so that every batch is an N-way episode: support first, then query."""

    def __init__(self, labels, n_way, n_shot, n_query, episodes):
        self.by_class = [torch.nonzero(labels == c).flatten() for c in labels.unique()]
        self.n_way, self.per_class, self.episodes = n_way, n_shot + n_query, episodes

    def __len__(self):
        return self.episodes

    def __iter__(self):
        for _ in range(self.episodes):
            classes = torch.randperm(len(self.by_class))[:self.n_way]
            rows = [self.by_class[c][torch.randperm(len(self.by_class[c]))[:self.per_class]] for c in classes]
            yield torch.stack(rows).t().flatten().tolist()
