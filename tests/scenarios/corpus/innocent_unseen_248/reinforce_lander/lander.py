import random


class Lander1D:
    """Fall from some height, thrust or not; touch down slowly."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def reset(self):
        self.h = self.rng.uniform(4, 6)
        self.v = self.rng.uniform(-1, 0)
        self.fuel = 1.0
        return [self.h / 5, self.v, self.fuel]

    def step(self, action):
        acc = -0.3
        reward = -0.01
        if action == 1 and self.fuel > 0:
            acc += 0.7
            self.fuel -= 0.03
            reward -= 0.03
        self.v += acc * 0.5
        self.h += self.v * 0.5
        done = self.h <= 0 or self.h > 10
        if done:
            if self.h > 10:
                reward -= 4.0
            else:
                reward += 2.0 - min(4.0, 2 * abs(self.v))
        return [self.h / 5, self.v, self.fuel], reward, done
