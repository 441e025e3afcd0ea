import torch


class ElevatorVec:
    """Vectorised single-lift building. Actions: down, stay/serve, up."""

    def __init__(self, n_envs, floors):
        self.n, self.floors = n_envs, floors
        self.obs_dim, self.n_actions = 2 * floors, 3
        self.pos = torch.zeros(n_envs, dtype=torch.long)
        self.waiting = torch.zeros(n_envs, floors)

    def obs(self):
        here = torch.nn.functional.one_hot(self.pos, self.floors).float()
        return torch.cat([here, self.waiting / 5], dim=1)

    def reset(self):
        self.pos = torch.randint(self.floors, (self.n,))
        self.waiting.zero_()
        return self.obs()

    def step(self, action):
        self.pos = (self.pos + action - 1).clamp(0, self.floors - 1)
        idx = torch.arange(self.n)
        served = torch.where(action == 1, self.waiting[idx, self.pos], torch.zeros(self.n))
        self.waiting[idx, self.pos] -= served
        self.waiting += (torch.rand(self.n, self.floors) < 0.06).float()
        self.waiting.clamp_(max=5)
        reward = served - 0.05 * self.waiting.sum(1)
        done = torch.rand(self.n) < 0.02
        self.waiting[done] = 0
        return self.obs(), reward, done.float()
