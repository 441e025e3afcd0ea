from __future__ import annotations

import torch
from torch.utils.data import DataLoader, Dataset

from config import TrainConfig


class DescriptorRows(Dataset):
    """Synthetic molecular descriptors with a smooth target."""

    def __init__(self, n: int, d: int, seed: int) -> None:
        g = torch.Generator().manual_seed(seed)
        self.x = torch.randn(n, d, generator=g)
        w = torch.randn(d, generator=g)
        self.y = torch.sin(self.x @ w * 0.4) + 0.05 * torch.randn(n, generator=g)

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, i: int) -> dict[str, torch.Tensor]:
        return {"x": self.x[i], "y": self.y[i]}


def collate(rows: list[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    return {k: torch.stack([r[k] for r in rows]) for k in rows[0]}


def make_loader(cfg: TrainConfig) -> DataLoader:
    ds = DescriptorRows(cfg.n_rows, cfg.n_features, cfg.seed)
    return DataLoader(ds, cfg.batch_size, shuffle=True, collate_fn=collate)
