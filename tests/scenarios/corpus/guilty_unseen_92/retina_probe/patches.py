from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset


class Patches(Dataset):
    def __init__(self, n: int, size: int = 8) -> None:
        self.n, self.size = n, size

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, i: int) -> tuple[Tensor, Tensor]:
        g = torch.Generator().manual_seed(i)
        mask = torch.zeros(self.size, self.size)
        row = int(torch.randint(self.size, (1,), generator=g))
        mask[row] = 1.0
        if i % 2:
            mask = mask.t().contiguous()
        return 0.7 * mask + 0.3 * torch.randn(mask.shape, generator=g), mask


def collate(items: list[tuple[Tensor, Tensor]]) -> tuple[Tensor, Tensor]:
    x, y = zip(*items)
    return torch.stack(x).unsqueeze(1), torch.stack(y).unsqueeze(1)


def patch_loader(n: int, batch: int) -> DataLoader:
    return DataLoader(Patches(n), batch, shuffle=True, collate_fn=collate)
