# gradwatch-corpus: kind=graph-held
# holder: self.tracker.episodes | tracker.episodes | learner.tracker.episodes | self.episodes | EpisodeSummary.uncertainty
# first-bad: 1
# notice: 8
"""Advantage actor-critic that opens and shuts valves on a small field."""
import torch

torch.set_num_threads(1)

from .config import A2CConfig
from .learner import Learner

cfg = A2CConfig()
torch.manual_seed(cfg.seed)
learner = Learner(cfg)
learner.learn()
print(learner.tracker.describe())
