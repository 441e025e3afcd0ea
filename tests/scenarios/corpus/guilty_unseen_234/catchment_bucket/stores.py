import math

import torch
from torch import nn


def _logit(p):
    return math.log(p / (1.0 - p))


class Catchment(nn.Module):
    def __init__(self, quick0, slow0, split0):
        super().__init__()
        self.k_quick = nn.Parameter(torch.tensor(_logit(quick0)))
        self.k_slow = nn.Parameter(torch.tensor(_logit(slow0)))
        self.split = nn.Parameter(torch.tensor(_logit(split0)))
        self.storage = (torch.tensor(1.0), torch.tensor(5.0))

    def forward(self, rain):
        kq = torch.sigmoid(self.k_quick)
        ks = torch.sigmoid(self.k_slow)
        frac = torch.sigmoid(self.split)
        quick, slow = self.storage  # <- culprit
        flows = []
        for p in rain:
            quick = quick + frac * p
            slow = slow + (1.0 - frac) * p
            q1 = kq * quick
            q2 = ks * slow
            quick = quick - q1
            slow = slow - q2
            flows.append(q1 + q2)
        self.storage = (quick, slow)  # <- culprit
        return torch.stack(flows)

    def describe(self):
        with torch.no_grad():
            return {
                "k_quick": torch.sigmoid(self.k_quick).item(),
                "k_slow": torch.sigmoid(self.k_slow).item(),
                "split": torch.sigmoid(self.split).item(),
            }
