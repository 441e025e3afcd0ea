import torch
from torch import nn

_KINDS = {}


def register(cls):
    _KINDS[cls.__name__.lower()] = cls
    return cls


def build(kind, **kw):
    return _KINDS[kind](**kw)


@register
class DSCNN(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.stem = nn.Conv2d(1, width, 5, stride=2, padding=2)
        blocks = []
        for _ in range(2):
            blocks += [nn.Conv2d(width, width, 3, padding=1, groups=width), nn.Conv2d(width, width, 1),
                       nn.BatchNorm2d(width), nn.ReLU()]
        self.body = nn.Sequential(*blocks)
        self.head = nn.Linear(width, classes)

    def forward(self, fb):
        z = self.body(torch.relu(self.stem(fb.unsqueeze(1))))
        return self.head(z.mean((2, 3)))
