from dataclasses import dataclass

import torch


@dataclass
class CaseBatch:
    case_ids: list
    image: torch.Tensor
    mask: torch.Tensor


class CohortReader:
    def __init__(self, n_cases, size):
        self.n_cases, self.size = n_cases, size
        ax = torch.linspace(-1, 1, size)
        self.yy, self.xx = torch.meshgrid(ax, ax, indexing="ij")

    def load(self, idx):
        g = torch.Generator().manual_seed(idx)
        cx, cy, r = (torch.rand(3, generator=g) * torch.tensor([1.2, 1.2, 0.35])
                     + torch.tensor([-0.6, -0.6, 0.15])).tolist()
        mask = ((self.xx - cx) ** 2 + (self.yy - cy) ** 2 < r * r).float()
        noise = torch.randn(self.size, self.size, generator=g)
        return (0.9 * mask + 0.5 * noise)[None], mask[None]

    def batches(self, size):
        order = torch.randperm(self.n_cases).tolist()
        for s in range(0, self.n_cases - size + 1, size):
            ids = order[s:s + size]
            images, masks = zip(*(self.load(i) for i in ids))
            yield CaseBatch([f"PT{i:05d}" for i in ids], torch.stack(images), torch.stack(masks))
