import torch


class Warehouses:
    obs_dim = 3
    n_actions = 6

    def __init__(self, n, capacity):
        self.n, self.capacity = n, capacity
        self.stock = torch.full((n,), capacity / 2)
        self.day = torch.randint(0, 7, (n,))

    def observe(self):
        ang = self.day.float() * (2 * torch.pi / 7)
        return torch.stack([self.stock / self.capacity, ang.sin(), ang.cos()], dim=-1)

    def step(self, order):
        arriving = torch.minimum(2.0 * order.float(), self.capacity - self.stock)
        self.stock = self.stock + arriving
        demand = torch.poisson(3.0 + 2.0 * (self.day >= 5).float())
        sold = torch.minimum(self.stock, demand)
        self.stock = self.stock - sold
        self.day = (self.day + 1) % 7
        return 2.0 * sold - 0.9 * arriving - 0.1 * self.stock
