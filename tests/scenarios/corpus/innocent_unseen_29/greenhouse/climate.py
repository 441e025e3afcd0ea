import torch
from torch import nn


def weather(horizon, beds):
    heat = (torch.rand(horizon, beds) > 0.5).float()
    outside = torch.randn(horizon, 1).expand(horizon, beds) * 0.5
    return heat, outside


class Greenhouse(nn.Module):
    """T <- T + heat * u - loss * (T - T_out)"""

    def __init__(self, beds, heat, loss):
        super().__init__()
        self.register_buffer("offset", torch.zeros(beds))
        self.heat = nn.Parameter(torch.tensor(heat))
        self.loss = nn.Parameter(torch.tensor(loss))

    def simulate(self, start, heat, outside):
        temp = start + self.offset
        path = []
        for u, o in zip(heat, outside):
            temp = temp + self.heat * u - self.loss * (temp - o)
            path.append(temp)
        return torch.stack(path)
