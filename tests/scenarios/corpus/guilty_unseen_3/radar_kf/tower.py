import queue

import torch

from filters import Belief, assimilate


class Tower:
    def __init__(self, noise, aircraft, echoes=3):
        self.noise, self.echoes = noise, echoes
        self.truth = [0.0] * aircraft
        self.waiting = queue.Queue()
        for a in range(aircraft):
            self.waiting.put(Belief(a, torch.tensor(0.0), torch.tensor(1.0)))

    def _echo(self, a):
        self.truth[a] += 0.3 * torch.randn(()).item()
        return self.truth[a] + 0.8 * torch.randn(()).item()

    def sweep(self):
        belief = self.waiting.get()
        q, r = self.noise()
        cost = 0.0
        for _ in range(self.echoes):
            belief, nll = assimilate(belief, self._echo(belief.plane), q, r)
            cost = cost + nll
        self.waiting.put(belief)  # <- culprit
        return cost / self.echoes, belief.plane
