import random


class GridWorld:
    MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]

    def __init__(self, size=4):
        self.size = size

    def reset(self):
        self.x, self.y, self.t = 0, 0, 0
        return [0.0, 0.0]

    def step(self, a):
        dx, dy = self.MOVES[a]
        if random.random() < 0.05:
            dx, dy = random.choice(self.MOVES)
        self.x = min(max(self.x + dx, 0), self.size - 1)
        self.y = min(max(self.y + dy, 0), self.size - 1)
        self.t += 1
        goal = self.x == self.y == self.size - 1
        obs = [self.x / (self.size - 1), self.y / (self.size - 1)]
        return obs, 1.0 if goal else -0.05, goal, self.t >= 30
