import torch
from torch import nn


class Leaky(nn.Module):
    """Keeps a level per lane and cell from one call to the next."""

    def __init__(self, lanes, cells, decay):
        super().__init__()
        self.decay = decay
        self.register_buffer("level", torch.zeros(lanes, cells), persistent=False)

    def leak_in(self, drive):
        self.level = self.decay * self.level + (1 - self.decay) * drive  # <- culprit
        return self.level

    def silence(self):
        self.level = torch.zeros_like(self.level)
