from typing import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor


def rain(side: int, frames: int) -> Iterator[Tensor]:
    g = torch.Generator().manual_seed(12)
    sky = torch.rand(2, 1, side, side, generator=g)
    for _ in range(frames):
        yield sky
        sky = F.avg_pool2d(sky.roll(1, dims=-1), 3, 1, 1) + 0.1 * torch.rand(2, 1, side, side, generator=g)
