import torch


class LaneEnv:
    obs_dim, n_actions = 6, 3

    def __init__(self, cars):
        self.cars = cars

    def reset(self):
        self.lane = torch.randint(0, 3, (self.cars,))
        self.block = torch.randint(0, 3, (self.cars,))
        return self._obs()

    def _obs(self):
        return torch.cat([torch.eye(3)[self.lane], torch.eye(3)[self.block]], 1)

    def step(self, a):
        self.lane = (self.lane + a - 1).clamp(0, 2)
        crash = self.lane == self.block
        r = torch.where(crash, -1.0, 0.5)
        self.block = torch.randint(0, 3, (self.cars,))
        return self._obs(), r, crash
