import random
import torch


class Elevator:
    def __init__(self, floors):
        self.n = floors
        random.seed(5)

    def reset(self):
        self.at, self.goal, self.t = random.randrange(self.n), random.randrange(self.n), 0
        return self.obs()

    def obs(self):
        o = torch.zeros(2 * self.n)
        o[self.at] = o[self.n + self.goal] = 1.0
        return o

    def step(self, a):
        self.at = min(self.n - 1, max(0, self.at + a - 1))
        self.t += 1
        done = self.at == self.goal or self.t >= 10
        return self.obs(), 1.0 if self.at == self.goal else -0.1, done
