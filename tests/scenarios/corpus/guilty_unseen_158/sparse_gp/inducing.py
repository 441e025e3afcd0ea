from functools import cached_property

import torch
import torch.nn as nn


class InducingPoints(nn.Module):
    """Locations that stand for the whole data set, with an RBF kernel between them."""

    def __init__(self, count, dim, jitter=1e-3):
        super().__init__()
        self.locations = nn.Parameter(torch.rand(count, dim) * 4 - 2)
        self.log_length = nn.Parameter(torch.zeros(dim))
        self.jitter = jitter

    def kernel(self, a, b):
        scaled_a = a / self.log_length.exp()
        scaled_b = b / self.log_length.exp()
        gap = scaled_a.unsqueeze(1) - scaled_b.unsqueeze(0)
        return torch.exp(-0.5 * gap.pow(2).sum(dim=-1))

    @cached_property  # <- culprit
    def gram_root(self):
        gram = self.kernel(self.locations, self.locations)  # <- culprit
        eye = torch.eye(gram.size(0))
        return torch.linalg.cholesky(gram + self.jitter * eye)  # <- culprit

    def features(self, x):
        cross = self.kernel(self.locations, x)
        return torch.linalg.solve_triangular(self.gram_root, cross, upper=False).t()  # <- culprit
