from dataclasses import dataclass

import torch


@dataclass
class WeldBatch:
    image: torch.Tensor
    pore: torch.Tensor
    row: torch.Tensor


class WeldLine:
    def __init__(self, size, batch, seed):
        self.size = size
        self.batch = batch
        self.gen = torch.Generator().manual_seed(seed)

    def __iter__(self):
        while True:
            img = 0.15 * torch.randn(self.batch, 1, self.size, self.size, generator=self.gen)
            img[..., self.size // 2] += 0.5
            pore = torch.randint(0, 2, (self.batch,), generator=self.gen)
            row = torch.randint(1, self.size - 1, (self.batch,), generator=self.gen)
            idx = pore.nonzero().flatten()
            img[idx, 0, row[idx], self.size // 2] -= 1.2
            yield WeldBatch(img, pore, row)
