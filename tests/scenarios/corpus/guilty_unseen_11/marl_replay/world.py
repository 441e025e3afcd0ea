import torch

MOVES = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]


class Meeting:
    def __init__(self, size, limit, rng):
        self.size, self.limit, self.rng = size, limit, rng
        self.meetings = 0
        self.reset()

    def reset(self):
        self.where = [[self.rng.randrange(self.size) for _ in range(2)] for _ in range(2)]
        self.clock = 0

    def observe(self):
        a, b = self.where
        mine = torch.tensor([*a, *b], dtype=torch.float) / self.size
        return [mine, mine[[2, 3, 0, 1]]]

    def step(self, actions):
        self.clock += 1
        for pos, action in zip(self.where, actions):
            dx, dy = MOVES[action]
            pos[0] = (pos[0] + dx) % self.size
            pos[1] = (pos[1] + dy) % self.size
        met = self.where[0] == self.where[1]
        self.meetings += met
        return (1.0 if met else -0.05), met or self.clock >= self.limit
