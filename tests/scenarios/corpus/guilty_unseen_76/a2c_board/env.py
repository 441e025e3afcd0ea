import random


class Corridor:
    """Walk right to the goal; a slip sends the agent one cell back."""

    n_act = 2

    def __init__(self, length=7, slip=0.1, limit=40):
        self.length, self.slip, self.limit = length, slip, limit
        self.n_obs = length

    def _obs(self):
        return [1.0 if i == self.pos else 0.0 for i in range(self.length)]

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def step(self, action):
        self.t += 1
        move = 1 if action == 1 else -1
        if random.random() < self.slip:
            move = -1
        self.pos = min(max(self.pos + move, 0), self.length - 1)
        goal = self.pos == self.length - 1
        return self._obs(), (1.0 if goal else -0.02), goal or self.t >= self.limit
