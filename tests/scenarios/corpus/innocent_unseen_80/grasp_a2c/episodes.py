from collections import deque
from dataclasses import dataclass, field
from typing import List, Protocol

import torch

from .cell import GraspSlipped

@dataclass
class Transition:
    log_prob: torch.Tensor
    value: torch.Tensor
    entropy: torch.Tensor
    reward: torch.Tensor

@dataclass
class Episode:
    transitions: List[Transition] = field(default_factory=list)
    slip_confidence: torch.Tensor | None = None

    def column(self, name):
        return torch.stack([getattr(t, name) for t in self.transitions])

class Policy(Protocol):
    def decide(self, obs, memory): ...

class Journal:
    def __init__(self, capacity):
        self.returns = deque(maxlen=capacity)
        self.messages = deque(maxlen=capacity)
        self.slips = 0

    def slipped(self, slip):
        self.slips += 1
        self.messages.append((str(slip), round(slip.confidence.item(), 3)))

    def finished(self, episode):
        self.returns.append(sum(float(t.reward.mean()) for t in episode.transitions))

    def mean_return(self):
        return sum(self.returns) / max(len(self.returns), 1)

class EpisodeRunner:
    def __init__(self, cell, policy: Policy, journal: Journal):
        self.cell, self.policy, self.journal = cell, policy, journal
        self.current = None

    def run(self, limit):
        self.current = Episode()
        obs, memory = self.cell.reset(), None
        for n in range(limit):
            move, log_prob, entropy, value, memory = self.policy.decide(obs, memory)
            confidence = log_prob.exp().mean()
            reward = torch.zeros(len(obs))
            try:
                obs, reward = self.cell.step(n, move, confidence)
            except GraspSlipped as slip:
                self.journal.slipped(slip)
                self.current.slip_confidence = slip.confidence
            self.current.transitions.append(Transition(log_prob, value, entropy, reward))
            if self.current.slip_confidence is not None:
                break
        self.journal.finished(self.current)
        return self.current
