import torch


class Crane:
    def reset(self):
        self.x, self.v, self.swing, self.t = 0.0, 0.0, 0.1, 0
        return self.obs()

    def obs(self):
        return torch.tensor([self.x, self.v, self.swing, self.t / 40])

    def step(self, move):
        push = (move - 1) * 0.1
        self.v = 0.9 * self.v + push
        self.x += self.v
        self.swing = 0.95 * self.swing - 0.5 * push
        self.t += 1
        reward = -abs(self.x - 1.0) - abs(self.swing)
        return self.obs(), reward, self.t >= 40
