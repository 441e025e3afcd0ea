import torch
from torch import nn


def conv(cin, cout, stride=1):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, stride, 1, bias=False), nn.GroupNorm(4, cout), nn.SiLU()
    )


class CenterDetector(nn.Module):
    """Per-cell class logits and left/top/right/bottom distances."""

    def __init__(self, width, num_classes):
        super().__init__()
        self.backbone = nn.Sequential(conv(3, width, 2), conv(width, width, 2), conv(width, width))
        self.cls_tower = conv(width, width)
        self.box_tower = conv(width, width)
        self.cls = nn.Conv2d(width, num_classes, 1)
        self.box = nn.Conv2d(width, 4, 1)
        nn.init.constant_(self.cls.bias, -3.0)

    def forward(self, images):
        f = self.backbone(images)
        return {
            "logits": self.cls(self.cls_tower(f)),
            "ltrb": torch.nn.functional.softplus(self.box(self.box_tower(f))),
        }
