from collections import deque
from typing import NamedTuple

import torch
from torch import nn


class Step(NamedTuple):
    logp: torch.Tensor
    value: torch.Tensor
    entropy: torch.Tensor
    reward: torch.Tensor
    done: torch.Tensor


class ActorCritic(nn.Module):
    def __init__(self, obs_dim=4, n_actions=5, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs_dim, width), nn.Tanh())
        self.pi = nn.Linear(width, n_actions)
        self.v = nn.Linear(width, 1)

    def forward(self, obs):
        z = self.trunk(obs)
        return torch.distributions.Categorical(logits=self.pi(z)), self.v(z).squeeze(-1)


class SegmentArchive:
    """Finished segments, ranked by return for the end-of-run summary."""

    def __init__(self, capacity=5000):
        self._segments = deque(maxlen=capacity)

    def add(self, segment):
        self._segments.append(tuple(segment))  # <- culprit

    def best(self, k=3):
        ranked = sorted(self._segments, key=lambda s: -sum(t.reward.mean().item() for t in s))
        return [sum(t.reward.mean().item() for t in s) for s in ranked[:k]]

    def __len__(self):
        return len(self._segments)
