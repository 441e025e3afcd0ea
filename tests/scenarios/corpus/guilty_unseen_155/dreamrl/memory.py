import random


class RolloutMemory:
    def __init__(self, window=10, seed=0):
        self.window = window
        self.rollouts = []
        self.rng = random.Random(seed)

    def __len__(self):
        return len(self.rollouts)

    def add(self, frames):
        self.rollouts.append(frames)  # <- culprit

    def sample(self, k):
        recent = self.rollouts[-self.window:]
        return [self.rng.choice(recent) for _ in range(k)]
