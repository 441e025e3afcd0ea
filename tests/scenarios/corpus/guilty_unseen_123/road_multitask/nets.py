import torch.nn.functional as F
from torch import nn


class SceneNet(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(3, ch, 3, padding=1), nn.ReLU(), nn.Conv2d(ch, ch, 1), nn.ReLU())
        self.heads = nn.ModuleDict({"depth": nn.Conv2d(ch, 1, 1), "normal": nn.Conv2d(ch, 3, 1), "road": nn.Conv2d(ch, 1, 1)})

    def forward(self, img):
        z = self.trunk(img)
        return {k: head(z) for k, head in self.heads.items()}


def task_losses(out, truth):
    return {
        "depth": F.l1_loss(out["depth"], truth["depth"]),
        "normal": 1 - F.cosine_similarity(out["normal"], truth["normal"], dim=1).mean(),
        "road": F.binary_cross_entropy_with_logits(out["road"], truth["road"]),
    }
