from collections import deque


class Book:
    """The last few days' holdings; older days fall out by themselves."""

    def __init__(self, depth, speed=0.3):
        self.recent = deque(maxlen=depth)
        self.speed = speed

    def rebalance(self, target):
        if self.recent:
            held = self.recent[-1] + self.speed * (target - self.recent[-1])  # <- culprit
        else:
            held = target
        self.recent.append(held)  # <- culprit
        return held

    def turnover(self):
        if len(self.recent) < 2:
            return 0.0
        return (self.recent[-1] - self.recent[-2]).abs().sum()
