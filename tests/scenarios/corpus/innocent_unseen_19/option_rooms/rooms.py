import random

import torch

LAYOUT = """\
#########
#   #   #
#       #
#   #   #
## ### ##
#   #   #
#       #
#   #   #
#########""".splitlines()


class FourRooms:
    n_actions = 4
    MOVES = ((-1, 0), (1, 0), (0, -1), (0, 1))

    def __init__(self, n, seed):
        self.rng = random.Random(seed)
        self.free = [(r, c) for r, row in enumerate(LAYOUT) for c, ch in enumerate(row) if ch == " "]
        self.index = {rc: i for i, rc in enumerate(self.free)}
        self.n_cells = len(self.free)
        self.goal = (7, 7)
        self.at = [self.rng.choice(self.free) for _ in range(n)]

    def cells(self):
        return torch.tensor([self.index[a] for a in self.at])

    def step(self, actions):
        rewards, dones = [], []
        for i, a in enumerate(actions.tolist()):
            if self.rng.random() < 0.1:
                a = self.rng.randrange(4)
            dr, dc = self.MOVES[a]
            nxt = (self.at[i][0] + dr, self.at[i][1] + dc)
            self.at[i] = nxt if nxt in self.index else self.at[i]
            done = self.at[i] == self.goal
            rewards.append(1.0 if done else -0.01)
            dones.append(float(done))
            if done:
                self.at[i] = self.rng.choice(self.free)
        return torch.tensor(rewards), torch.tensor(dones)
