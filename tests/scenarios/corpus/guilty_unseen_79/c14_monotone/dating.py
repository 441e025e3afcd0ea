from dataclasses import dataclass

import torch


@dataclass
class Samples:
    cal: torch.Tensor
    lab: torch.Tensor
    c14: torch.Tensor

    @classmethod
    def tree_rings(cls, n, labs):
        cal = 4 * torch.rand(n, 1) - 2
        wiggle = 0.08 * torch.sin(9 * cal)
        lab = torch.randint(0, labs, (n,))
        offset = 0.05 * torch.randn(labs)
        c14 = (0.8 * cal + wiggle).squeeze(-1) + offset[lab] + 0.05 * torch.randn(n)
        return cls(cal, lab, c14)

    def pick(self, idx):
        return self.cal[idx], self.lab[idx], self.c14[idx]

    def __len__(self):
        return len(self.c14)
