import random
from collections import namedtuple

import numpy as np
import torch

Transition = namedtuple("Transition", "obs act rew nxt done logp")


class ReplayBuffer:
    """Keeps everything; the runs are short enough for that."""

    def __init__(self):
        self.storage = []

    def __len__(self):
        return len(self.storage)

    def add(self, tr):
        self.storage.append(tr)  # <- culprit

    def sample(self, n):
        b = random.sample(self.storage, n)
        obs = torch.from_numpy(np.stack([t.obs for t in b]))
        nxt = torch.from_numpy(np.stack([t.nxt for t in b]))
        act = torch.tensor([t.act for t in b])
        rew = torch.tensor([t.rew for t in b], dtype=torch.float32)
        done = torch.tensor([float(t.done) for t in b])
        return obs, act, rew, nxt, done

    def latest(self, n):
        b = self.storage[-n:]
        obs = torch.from_numpy(np.stack([t.obs for t in b]))
        return obs, torch.tensor([t.act for t in b]), torch.stack([t.logp for t in b])
