import torch.nn.functional as F
from torch import nn

from .registry import MODELS


@MODELS.register
class SegHead(nn.Module):
    def __init__(self, channels, num_classes, aux_weight):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU())
        self.body = nn.Sequential(nn.Conv2d(channels, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU())
        self.decode, self.aux = nn.Conv2d(channels, num_classes, 1), nn.Conv2d(channels, num_classes, 1)
        self.aux_weight = aux_weight

    def forward(self, inputs, labels):
        f = self.stem(inputs)
        main, aux = self.decode(self.body(f)), self.aux(f)
        acc = (main.argmax(1) == labels).float().mean()
        return {"decode.loss_ce": F.cross_entropy(main, labels), "aux.loss_ce": self.aux_weight * F.cross_entropy(aux, labels),
                "decode.acc_seg": acc}
