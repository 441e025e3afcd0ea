from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class Page:
    query: torch.Tensor
    items: torch.Tensor
    brand: torch.Tensor
    gain: torch.Tensor


class Catalog:
    def __init__(self, n_items, n_brands, q_dim=8):
        self.q_dim = q_dim
        self.brand = torch.randint(0, n_brands, (n_items,))
        dense = torch.randn(n_items, 8)
        self.feats = torch.cat([dense, F.one_hot(self.brand, n_brands).float()], -1)
        self.i_dim = self.feats.size(1)
        self.taste = torch.randn(q_dim, 8) / q_dim ** 0.5

    def page(self, queries, shown):
        q = torch.randn(queries, self.q_dim)
        idx = torch.randint(0, len(self.feats), (queries, shown))
        items = self.feats[idx]
        affinity = torch.einsum("qd,qsd->qs", q @ self.taste, items[..., :8])
        gain = (affinity + 0.5 * torch.randn_like(affinity)).clamp(0, 4).round()
        return Page(q, items, self.brand[idx], gain)
