import torch


class AdaptiveSampler:
    """Uniform collocation points.  From `start` on, every `every` iterations, the points with
    the largest residual are marked as hard and weighted extra until the next refinement."""

    def __init__(self, n, keep, start, every):
        self.n, self.keep = n, keep
        self.start, self.every = start, every
        self.hard_residual = None

    def draw(self):
        return torch.rand(self.n, 2)

    def hard(self):
        return self.hard_residual

    def refine(self, it, r):
        if it < self.start or (it - self.start) % self.every:
            return
        worst = r.abs().squeeze(1).topk(self.keep).indices
        self.hard_residual = r[worst]  # <- culprit
