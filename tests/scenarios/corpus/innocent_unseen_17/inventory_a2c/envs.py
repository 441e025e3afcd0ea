"""A vectorised single-product warehouse: order, wait two days, sell."""
import torch


class Warehouse:
    LEAD = 2
    CAPACITY = 20
    ORDERS = (0, 2, 4, 8)

    def __init__(self, n_envs, seed):
        self.n, self.gen = n_envs, torch.Generator().manual_seed(seed)

    def reset(self):
        self.stock = torch.full((self.n,), 8.0)
        self.pipeline = torch.zeros(self.n, self.LEAD)
        self.season = torch.rand(self.n, generator=self.gen) * 6.28
        return self.observe()

    def observe(self):
        return torch.cat([self.stock.unsqueeze(1) / 10, self.pipeline / 8,
                          self.season.sin().unsqueeze(1), self.season.cos().unsqueeze(1)], dim=1)

    def step(self, action):
        order = torch.tensor(self.ORDERS, dtype=torch.float32)[action]
        self.stock = (self.stock + self.pipeline[:, 0]).clamp(max=self.CAPACITY)
        self.pipeline = torch.cat([self.pipeline[:, 1:], order.unsqueeze(1)], dim=1)
        demand = torch.poisson(2.5 + 1.5 * self.season.sin(), generator=self.gen)
        sold = torch.minimum(demand, self.stock)
        lost = demand - sold
        self.stock = self.stock - sold
        self.season = (self.season + 0.2) % 6.2832
        reward = 1.0 * sold - 0.1 * self.stock - 0.5 * lost - 0.3 * (order > 0).float()
        return self.observe(), reward / 3
