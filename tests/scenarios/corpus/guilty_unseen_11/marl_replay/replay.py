from typing import NamedTuple


class Transition(NamedTuple):
    obs: list
    actions: list
    reward: float
    next_obs: list
    done: bool


class Replay:
    """Tournament replay: of two candidates the one with the larger error is played again."""

    def __init__(self, capacity, rng):
        self.capacity = capacity
        self.rng = rng
        self.data = []
        self.priority = []
        self.cursor = 0

    def __len__(self):
        return len(self.data)

    def push(self, transition):
        if len(self.data) < self.capacity:
            self.data.append(transition)
            self.priority.append(1.0)
        else:
            self.data[self.cursor] = transition
            self.priority[self.cursor] = 1.0
        self.cursor = (self.cursor + 1) % self.capacity

    def sample(self, n):
        pairs = self.rng.sample(range(len(self.data)), 2 * n)
        index = []
        for i, j in zip(pairs[::2], pairs[1::2]):
            index.append(i if self.priority[i] >= self.priority[j] else j)
        return index, [self.data[i] for i in index]

    def refresh(self, index, errors):
        for i, e in zip(index, errors):
            self.priority[i] = e  # <- culprit
