import random


class GridWalk:
    def __init__(self, size=5, horizon=12):
        self.size, self.horizon = size, horizon

    def reset(self):
        self.x, self.y, self.t = 0, 0, 0
        self.goal = (random.randrange(self.size), random.randrange(self.size))
        return self._obs()

    def _obs(self):
        s = float(self.size)
        return [self.x / s, self.y / s, self.goal[0] / s, self.goal[1] / s]

    def step(self, action):
        dx, dy = [(1, 0), (-1, 0), (0, 1), (0, -1)][action]
        self.x = min(max(self.x + dx, 0), self.size - 1)
        self.y = min(max(self.y + dy, 0), self.size - 1)
        self.t += 1
        done = (self.x, self.y) == self.goal
        return self._obs(), (1.0 if done else -0.05), done or self.t >= self.horizon
