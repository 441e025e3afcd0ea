import random


class Elevator:
    """One cabin, six floors, passengers appear at random; actions: down, stay, up."""

    FLOORS = 6

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def reset(self):
        self.floor, self.waiting, self.inside, self.t = 0, [0] * self.FLOORS, [0] * self.FLOORS, 0
        return self.observe()

    def observe(self):
        here = [float(i == self.floor) for i in range(self.FLOORS)]
        return here + [w / 3 for w in self.waiting] + [w / 3 for w in self.inside]

    def step(self, action):
        self.t += 1
        self.floor = min(max(self.floor + action - 1, 0), self.FLOORS - 1)
        delivered = self.inside[self.floor]
        self.inside[self.floor] = 0
        for _ in range(self.waiting[self.floor]):
            goal = self.rng.choice([f for f in range(self.FLOORS) if f != self.floor])
            self.inside[goal] += 1
        self.waiting[self.floor] = 0
        if self.rng.random() < 0.4:
            self.waiting[self.rng.randrange(self.FLOORS)] += 1
        reward = delivered - 0.05 * (sum(self.waiting) + sum(self.inside))
        return self.observe(), reward, self.t >= 25
