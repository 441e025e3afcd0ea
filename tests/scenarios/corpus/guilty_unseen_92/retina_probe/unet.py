import torch
import torch.nn.functional as F
from torch import Tensor, nn


class MiniUNet(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.down = nn.Conv2d(1, width, 3, padding=1)
        self.mid = nn.Conv2d(width, 2 * width, 3, padding=1)
        self.up = nn.Conv2d(3 * width, width, 3, padding=1)
        self.out = nn.Conv2d(width, 1, 1)

    def forward(self, x: Tensor) -> Tensor:
        a = F.relu(self.down(x))
        b = F.relu(self.mid(F.max_pool2d(a, 2)))
        c = torch.cat([a, F.interpolate(b, scale_factor=2)], 1)
        return self.out(F.relu(self.up(c)))
