from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.data import DataLoader, TensorDataset

UNLABELLED = -100


def collate(rows: list[tuple[Tensor, Tensor]]) -> dict[str, Tensor]:
    x, y = (torch.stack(c) for c in zip(*rows))
    return {"weak": x + 0.05 * torch.randn_like(x), "strong": x + 0.3 * torch.randn_like(x), "y": y}


def mixed_loader(rows: int, batch: int, labelled: float) -> DataLoader:
    centres = torch.randn(4, 10)
    y = torch.randint(4, (rows,))
    x = centres[y] + 0.7 * torch.randn(rows, 10)
    y = torch.where(torch.rand(rows) < labelled, y, torch.tensor(UNLABELLED))
    return DataLoader(TensorDataset(x, y), batch, shuffle=True, collate_fn=collate)
