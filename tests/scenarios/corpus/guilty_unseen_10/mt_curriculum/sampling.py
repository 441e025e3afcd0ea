"""Sentence-pair samplers for the translation trainer."""
import torch


class PairSampler:
    def __init__(self, n_pairs, batch_size, seed=0):
        self.n_pairs = n_pairs
        self.batch_size = batch_size
        self.g = torch.Generator().manual_seed(seed)

    def draw(self):
        raise NotImplementedError

    def feedback(self, idx, nll):
        """Called after each step with the per-sentence losses."""


class UniformSampler(PairSampler):
    def draw(self):
        return torch.randint(0, self.n_pairs, (self.batch_size,), generator=self.g)


class HardPairSampler(PairSampler):
    """Draws pairs in proportion to (their last loss)^alpha."""

    def __init__(self, n_pairs, batch_size, seed=0, alpha=0.7, floor=0.05):
        super().__init__(n_pairs, batch_size, seed)
        self.alpha = alpha
        self.floor = floor
        self.priority = torch.full((n_pairs,), 4.0)

    def draw(self):
        weights = self.priority.clamp(min=self.floor).pow(self.alpha)
        return torch.multinomial(weights, self.batch_size, replacement=False, generator=self.g)

    def feedback(self, idx, nll):
        self.priority[idx] = nll  # <- culprit

    def hardest(self, k):
        return torch.topk(self.priority, k).indices.tolist()


SAMPLERS = {"uniform": UniformSampler, "hard": HardPairSampler}


def build_sampler(kind, **kw):
    return SAMPLERS[kind](**kw)
