import numpy as np


class PixelGrid:
    actions = 4

    def __init__(self, size, scale, seed):
        self.size = size
        self.scale = scale
        self.rng = np.random.default_rng(seed)
        self.shape = (3, size * scale * 2, size * scale * 2)

    def reset(self):
        self.me = self.rng.integers(0, self.size, 2)
        self.goal = self.rng.integers(0, self.size, 2)
        self.left = 25
        return self.render()

    def step(self, action):
        move = ((0, 1), (1, 0), (0, -1), (-1, 0))[action]
        before = np.abs(self.me - self.goal).sum()
        self.me = np.clip(self.me + move, 0, self.size - 1)
        after = np.abs(self.me - self.goal).sum()
        self.left -= 1
        done = after == 0 or self.left == 0
        return self.render(), float(before - after) * 0.1 + float(after == 0), bool(done)

    def render(self):
        board = np.zeros((3, self.size, self.size), dtype=np.float32)
        board[0, self.me[0], self.me[1]] = 1
        board[1, self.goal[0], self.goal[1]] = 1
        board[2] = self.left / 25
        return board.repeat(self.scale * 2, axis=1).repeat(self.scale * 2, axis=2)
