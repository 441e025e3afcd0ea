import torch


class IntentDataset:
    """Every class prefers its own slice of the vocabulary."""

    def __init__(self, vocab, classes, max_len, size, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(classes, (size,), generator=g)
        width = vocab // classes
        own = self.y[:, None] * width + torch.randint(width, (size, max_len), generator=g)
        noise = torch.randint(vocab, (size, max_len), generator=g)
        use_own = torch.rand(size, max_len, generator=g) < 0.4
        self.x = torch.where(use_own, own, noise)

    def batches(self, batch_size):
        order = torch.randperm(len(self.y))
        for i in range(0, len(order), batch_size):
            idx = order[i:i + batch_size]
            yield self.x[idx], self.y[idx]
