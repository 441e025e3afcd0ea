from typing import Dict

import torch
import torch.nn.functional as F
from torch import nn

TASKS = ("recon", "celltype", "phase")


class CellNet(nn.Module):
    def __init__(self, genes: int, hidden: int = 40, types: int = 5) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(genes, hidden), nn.LayerNorm(hidden), nn.SiLU(),
                                   nn.Linear(hidden, hidden), nn.SiLU())
        self.rate = nn.Linear(hidden, genes)
        self.kind = nn.Linear(hidden, types)
        self.phase = nn.Linear(hidden, 2)

    def losses(self, counts: torch.Tensor, labels: Dict[str, torch.Tensor]) -> Dict[str, torch.Tensor]:
        h = self.trunk(torch.log1p(counts))
        unit = F.normalize(self.phase(h), dim=-1)
        angle = torch.stack([labels["phase"].cos(), labels["phase"].sin()], -1)
        return {
            "recon": F.poisson_nll_loss(self.rate(h), counts),
            "celltype": F.cross_entropy(self.kind(h), labels["celltype"]),
            "phase": (1 - (unit * angle).sum(-1)).mean(),
        }
