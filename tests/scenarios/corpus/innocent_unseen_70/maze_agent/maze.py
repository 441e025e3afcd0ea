import random

import torch


class WallHit(Exception):
    def __init__(self, place, action):
        super().__init__(f"{place}->{'NESW'[action]}")


class Maze:
    MOVES = ((-1, 0), (0, 1), (1, 0), (0, -1))

    def __init__(self, side, seed):
        self.side = side
        self.limit = 10
        self.rng = random.Random(seed)
        self.goal = (side - 1, side - 1)
        self.size = 2 * side

    def reset(self):
        self.place = (self.rng.randrange(self.side - 1), self.rng.randrange(self.side - 1))
        self.clock = 0
        self.solved = False
        return self.view()

    def view(self):
        x = torch.zeros(self.size)
        x[self.place[0]] = 1.0
        x[self.side + self.place[1]] = 1.0
        return x

    def out_of_time(self):
        return self.clock >= self.limit

    def step(self, action):
        self.clock += 1
        move = self.MOVES[int(action)]
        target = (self.place[0] + move[0], self.place[1] + move[1])
        if not all(0 <= t < self.side for t in target):
            raise WallHit(self.place, int(action))
        self.place = target
        self.solved = target == self.goal
        return self.view(), (1.0 if self.solved else -0.02), self.solved or self.out_of_time()
