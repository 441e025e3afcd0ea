import torch
from torch import nn
import torch.nn.functional as F


class RetinaNet(nn.Module):
    def __init__(self, width=12, grades=4):
        super().__init__()
        self.shared = nn.Sequential(
            nn.Conv2d(3, width, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1),
            nn.ReLU(),
        )
        self.heads = nn.ModuleDict(
            {
                "lesion": nn.Conv2d(width, 1, 1),
                "grade": nn.Linear(width, grades),
                "age": nn.Linear(width, 1),
            }
        )

    def forward(self, x):
        h = self.shared(x)
        pooled = h.mean(dim=(2, 3))
        return {
            "lesion": self.heads["lesion"](h),
            "grade": self.heads["grade"](pooled),
            "age": self.heads["age"](pooled).squeeze(1),
        }


def task_losses(out, target):
    return {
        "lesion": F.binary_cross_entropy_with_logits(out["lesion"], target["lesion"]),
        "grade": F.cross_entropy(out["grade"], target["grade"]),
        "age": F.mse_loss(out["age"], target["age"]),
    }
