import torch


class WarehouseEnv:
    obs_dim, n_actions = 3, 6

    def __init__(self, n):
        self.n = n

    def reset(self):
        self.stock = torch.full((self.n,), 8.0)
        self.day = torch.randint(0, 7, (self.n,)).float()
        return self.obs()

    def obs(self):
        wk = self.day * 6.2832 / 7
        return torch.stack([self.stock / 10, wk.sin(), wk.cos()], 1)

    def step(self, action):
        self.stock = (self.stock + 2.0 * action.float()).clamp(max=25)
        demand = torch.poisson(4 + 2 * torch.sin(self.day * 6.2832 / 7))
        sold = torch.minimum(self.stock, demand)
        short = demand - sold
        self.stock = self.stock - sold
        self.day = (self.day + 1) % 7
        reward = sold - 0.15 * self.stock - 1.0 * short - 0.3 * (action > 0).float()
        return self.obs(), reward / 5
