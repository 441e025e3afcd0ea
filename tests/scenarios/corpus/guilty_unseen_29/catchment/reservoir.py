import torch
from torch import nn


class LinearReservoir(nn.Module):
    """S(t+1) = S(t) + c * P(t) - k * S(t),   Q(t) = k * S(t)"""

    def __init__(self, cells):
        super().__init__()
        self.runoff = nn.Parameter(torch.tensor(0.4))
        self.recession = nn.Parameter(torch.tensor(0.1))
        self.storage = torch.zeros(cells)

    def fill(self, storage):
        self.storage = storage.clone()

    def route(self, rain):
        discharge = []
        for p in rain:
            q = torch.sigmoid(self.recession) * self.storage
            self.storage = self.storage + self.runoff * p - q  # <- culprit
            discharge.append(q.mean())
        return torch.stack(discharge)

    @torch.no_grad()
    def clip_(self):
        self.runoff.clamp_(0.0, 1.0)


def nash_sutcliffe(sim, obs):
    sim = sim.detach()
    return 1.0 - ((sim - obs) ** 2).sum().item() / ((obs - obs.mean()) ** 2).sum().item()
