import math

import torch
from torch import nn
from torch.nn import functional as F

from smoothing import Smoother


class SmoothedInfoNCE(nn.Module):
    """Symmetric InfoNCE; the learnable temperature is smoothed, raw values jitter too much."""

    def __init__(self, init_temp, rate=0.1):
        super().__init__()
        self.log_temp = nn.Parameter(torch.tensor(math.log(init_temp)))
        self.smoother = Smoother(rate)

    def forward(self, a, b):
        log_t = self.smoother.update(self.log_temp)
        sim = a @ b.t() / log_t.exp()
        target = torch.arange(len(a))
        loss = 0.5 * (F.cross_entropy(sim, target) + F.cross_entropy(sim.t(), target))
        acc = (sim.argmax(1) == target).float().mean().item()
        return loss, acc

    def current_temp(self):
        return float(self.smoother.value.detach().exp())
