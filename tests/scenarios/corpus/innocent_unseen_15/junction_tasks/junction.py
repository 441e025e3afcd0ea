import torch


class JunctionData:
    """Demand on four arms, green split, and what comes of it."""

    dim = 6

    def __init__(self, batch, seed):
        self.batch = batch
        self.gen = torch.Generator().manual_seed(seed)

    def __iter__(self):
        return self

    def __next__(self):
        demand = torch.rand(self.batch, 4, generator=self.gen)
        green = 0.3 + 0.4 * torch.rand(self.batch, 1, generator=self.gen)
        wet = (torch.rand(self.batch, 1, generator=self.gen) < 0.3).float()
        main, side = demand[:, :2].sum(1), demand[:, 2:].sum(1)
        cap = 1.6 * (1 - 0.2 * wet.squeeze(1))
        sat_main = main / (cap * green.squeeze(1) * 2)
        sat_side = side / (cap * (1 - green.squeeze(1)) * 2)
        queue = torch.relu(sat_main - 0.6) + torch.relu(sat_side - 0.6)
        delay = 0.5 * (1 - green.squeeze(1)) ** 2 / (1.05 - 0.4 * sat_main.clamp(max=1.5))
        spill = (queue > 0.6).float()
        x = torch.cat([demand, green, wet], 1)
        return x, {"queue": queue, "delay": delay, "spill": spill}
