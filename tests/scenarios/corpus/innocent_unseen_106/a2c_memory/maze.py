from collections import deque

import torch


class VecTMaze:
    """Corridor of given length; at its end turn to the side the cue named at the start."""

    n_obs, n_act = 4, 3  # obs: cue left, cue right, in corridor, at junction; act: on, left, right

    def __init__(self, n, length):
        self.n, self.length = n, length
        self.results = deque(maxlen=200)

    def reset(self):
        self.pos = torch.zeros(self.n, dtype=torch.long)
        self.cue = torch.randint(2, (self.n,))
        return self._obs()

    def _obs(self):
        o = torch.zeros(self.n, 4)
        start = self.pos == 0
        o[:, 0] = (start & (self.cue == 0)).float()
        o[:, 1] = (start & (self.cue == 1)).float()
        o[:, 2] = (self.pos < self.length).float()
        o[:, 3] = (self.pos >= self.length).float()
        return o

    def step(self, a):
        at_end = self.pos >= self.length
        right = at_end & (a == self.cue + 1)
        wrong = at_end & ~right
        moved = ~at_end & (a == 0)
        reward = right.float() - 0.3 * wrong.float() - 0.05 * (~at_end & (a != 0)).float()
        self.pos = self.pos + moved.long()
        done = at_end
        self.results.extend(right[done].tolist())
        fresh = torch.randint(2, (self.n,))
        self.cue = torch.where(done, fresh, self.cue)
        self.pos = torch.where(done, torch.zeros_like(self.pos), self.pos)
        return self._obs(), reward, done.float()

    def success_rate(self):
        return sum(self.results) / max(1, len(self.results))
