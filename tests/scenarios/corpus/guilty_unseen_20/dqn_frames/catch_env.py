"""Catch: a ball falls, a paddle moves left, right or not at all."""
import torch


class VecCatch:
    def __init__(self, n, size):
        self.n, self.size = n, size

    def reset(self):
        self.ball_x = torch.randint(4, self.size - 4, (self.n,))
        self.ball_y = torch.randint(0, self.size // 2, (self.n,))
        self.paddle = torch.randint(4, self.size - 4, (self.n,))
        return self.render()

    def render(self):
        f = torch.zeros(self.n, self.size, self.size)
        for k in range(self.n):
            x, y, p = int(self.ball_x[k]), int(self.ball_y[k]), int(self.paddle[k])
            f[k, y : y + 3, x - 2 : x + 3] = 1.0
            f[k, -3:, p - 4 : p + 5] = 0.7
        return f

    def step(self, actions):
        self.paddle = (self.paddle + 6 * (actions - 1)).clamp(4, self.size - 5)
        self.ball_y = self.ball_y + 6
        done = self.ball_y >= self.size - 6
        hit = (self.ball_x - self.paddle).abs() <= 6
        reward = torch.where(done, torch.where(hit, 1.0, -1.0), torch.zeros(self.n))
        self.ball_y = torch.where(done, torch.zeros_like(self.ball_y), self.ball_y)
        self.ball_x = torch.where(done, torch.randint(4, self.size - 4, (self.n,)), self.ball_x)
        return self.render(), reward, done.float()
