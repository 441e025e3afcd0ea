import torch


class Floor:
    """7x7 grid; the robot sees its own cell, the shelf and whether it carries a box."""
    OBS, ACTIONS, N = 5, 5, 7
    MOVES = ((0, 1), (0, -1), (1, 0), (-1, 0), (0, 0))

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(100 + seed)

    def reset(self):
        self.pos = torch.randint(self.N, (2,), generator=self.g).float()
        self.shelf = torch.randint(self.N, (2,), generator=self.g).float()
        self.loaded, self.t = False, 0
        return self.obs()

    def obs(self):
        goal = torch.zeros(2) if self.loaded else self.shelf
        return torch.cat([self.pos / self.N, goal / self.N, torch.tensor([float(self.loaded)])])

    def step(self, a):
        goal = torch.zeros(2) if self.loaded else self.shelf
        before = (self.pos - goal).abs().sum()
        self.pos = (self.pos + torch.tensor(self.MOVES[a], dtype=torch.float)).clamp(0, self.N - 1)
        after = (self.pos - goal).abs().sum()
        reward = float(before - after) - 0.05
        self.t += 1
        done = False
        if after == 0:
            reward += 1.0
            done, self.loaded = self.loaded, True
        return self.obs(), reward, done or self.t > 40
