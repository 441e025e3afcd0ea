from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Ward:
    occupancy: torch.Tensor
    vitals: torch.Tensor
    urgency: torch.Tensor

    def __len__(self):
        return len(self.urgency)

    def slices(self, size):
        return (slice(i, i + size) for i in range(0, len(self), size))


def stream(days):
    for _ in range(days):
        occ = torch.rand(6)
        vitals = torch.randn(20, 5)
        urgency = (vitals[:, 0] + occ.mean() > 0.5).long() + (vitals[:, 1] > 1).long()
        yield Ward(occ, vitals, urgency)
