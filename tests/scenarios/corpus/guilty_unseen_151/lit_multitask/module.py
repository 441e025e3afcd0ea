import torch
import torch.nn.functional as F
from torch import nn

from .core import LightningModule
from .weighting import TaskWeighting


class DenseTasks(LightningModule):
    def __init__(self, width=24):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(3, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, width, 3, padding=1), nn.ReLU())
        self.heads = nn.ModuleDict({"seg": nn.Conv2d(width, 4, 1), "depth": nn.Conv2d(width, 1, 1), "normal": nn.Conv2d(width, 3, 1)})
        self.weighting = TaskWeighting(self.heads.keys())

    def training_step(self, batch, batch_idx):
        x, seg, depth, normal = batch
        f = self.trunk(x)
        out = {k: h(f) for k, h in self.heads.items()}
        losses = {
            "seg": F.cross_entropy(out["seg"], seg),
            "depth": F.l1_loss(out["depth"].squeeze(1), depth),
            "normal": 1 - F.cosine_similarity(out["normal"], normal, dim=1).mean(),
        }
        self.log_dict({k: v.item() for k, v in losses.items()})
        return self.weighting(losses)

    def backward(self, loss):
        loss.backward(retain_graph=True)  # <- culprit

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)
