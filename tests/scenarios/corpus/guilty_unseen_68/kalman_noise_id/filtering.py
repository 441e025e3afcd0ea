import math
from typing import NamedTuple

import torch
from torch import Tensor, nn


class Belief(NamedTuple):
    mean: Tensor  # (2,)
    cov: Tensor   # (2, 2)


class LearnedKalman(nn.Module):
    """Two-state linear filter whose noise scales are the only free parameters."""

    def __init__(self, dt: float):
        super().__init__()
        self.log_q = nn.Parameter(torch.tensor(-2.0))
        self.log_r = nn.Parameter(torch.tensor(0.5))
        self.register_buffer("F", torch.tensor([[0.9, dt], [0.0, 0.98]]))
        self.register_buffer("H", torch.tensor([1.0, 0.0]))
        self.register_buffer("G", torch.tensor([[dt ** 3 / 3, dt ** 2 / 2], [dt ** 2 / 2, dt]]))
        self.belief = Belief(torch.zeros(2), torch.eye(2))

    @torch.no_grad()
    def noise_levels(self):
        return self.log_q.exp().item(), self.log_r.exp().item()

    def _predict(self, b: Belief) -> Belief:
        mean = self.F @ b.mean
        cov = self.F @ b.cov @ self.F.T + self.log_q.exp() * self.G
        return Belief(mean, cov)

    def _correct(self, b: Belief, y: Tensor):
        resid = y - self.H @ b.mean
        PHt = b.cov @ self.H
        s = self.H @ PHt + self.log_r.exp()
        gain = PHt / s
        post = Belief(b.mean + gain * resid, b.cov - torch.outer(gain, PHt))
        ll = -0.5 * (resid ** 2 / s + torch.log(s) + math.log(2 * math.pi))
        return post, ll

    def nll(self, ys: Tensor) -> Tensor:
        belief, total = self.belief, 0.0
        for y in ys:
            belief, ll = self._correct(self._predict(belief), y)
            total = total - ll
        self.belief = belief  # <- culprit
        return total / len(ys)
