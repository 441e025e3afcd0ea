import torch
from torch import nn


class LungNet(nn.Module):
    """Shared trunk with a nodule segmentation head and a report head."""

    def __init__(self, width=8, findings=4):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1), nn.ReLU(),
        )
        self.heads = nn.ModuleDict({
            "seg": nn.Conv2d(width, 1, 1),
            "report": nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, findings)),
        })

    def forward(self, x, tasks):
        features = torch.tanh(self.trunk(x))
        return {task: self.heads[task](features) for task in tasks}
