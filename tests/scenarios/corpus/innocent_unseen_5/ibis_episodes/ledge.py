import random


class WindyLedge:
    """Position and velocity on a line, wind pushes; falling off either end finishes the episode."""
    obs_dim, n_actions = 3, 3

    def __init__(self, seed, limit):
        self.rng = random.Random(seed)
        self.limit = limit

    def reset(self):
        self.x, self.v, self.wind, self.t = self.rng.uniform(-0.2, 0.2), 0.0, 0.0, 0
        return [self.x, self.v, self.wind]

    def step(self, action):
        self.wind = 0.8 * self.wind + self.rng.gauss(0, 0.12)
        self.v = 0.8 * self.v + 0.25 * (action - 1) + 0.6 * self.wind
        self.x += 0.4 * self.v
        self.t += 1
        fell = abs(self.x) > 0.5
        return [self.x * 2, self.v, self.wind], (-1.0 if fell else 0.1), fell or self.t >= self.limit
