import torch
from torch import nn
import torch.nn.functional as F


class XRayModule(nn.Module):
    def __init__(self, findings):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(1, 12, 5, 2, 2), nn.ReLU(), nn.Conv2d(12, 16, 3, 2, 1), nn.ReLU(),
                                 nn.Flatten(), nn.Linear(16 * 36, findings))

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch):
        x, y = batch
        logits = self(x)
        return {"loss": F.binary_cross_entropy_with_logits(logits, y), "logits": logits.detach(), "y": y}

    @torch.no_grad()
    def evaluate(self, batch):
        x, y = batch
        return ((self(x) > 0).float() == y).float().mean().item()
