import torch
from torch import nn

from feature_cache import FeatureCache
from heads import JitterHead, SiamHead


class Learner(nn.Module):
    def __init__(self, width, dim):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(3, width, 3, stride=2, padding=1), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, 2 * width, 3, stride=2, padding=1), nn.ReLU(),
            nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2 * width, dim),
        )
        self.features = FeatureCache(self.backbone)  # <- culprit
        self.heads = nn.ModuleDict({
            "siam": SiamHead(self.features, dim),
            "jitter": JitterHead(self.features, dim),
        })

    def losses(self, a, b, shift):
        return {name: head(a, b, shift) for name, head in self.heads.items()}

    @torch.no_grad()
    def collapse_level(self, view):
        z = nn.functional.normalize(self.backbone(view), dim=-1)
        return z.std(0).mean().item()
