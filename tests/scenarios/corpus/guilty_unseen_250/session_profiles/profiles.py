import torch


class ProfileTable:
    """Exponentially decayed taste vector of every active user."""

    def __init__(self, config):
        self.decay = config.decay
        self.vectors = torch.zeros(config.users, config.dim)

    def absorb(self, item_vectors):
        self.vectors = self.decay * self.vectors + (1.0 - self.decay) * item_vectors  # <- culprit
        return self.vectors
