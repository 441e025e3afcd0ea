from dataclasses import dataclass

import torch


@dataclass
class MeshConfig:
    vertices: int = 96
    batch: int = 6
    code: int = 20
    steps: int = 100
    lr: float = 2e-3


class SphereScans:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(101)
        raw = torch.randn(cfg.vertices, 3, generator=self.gen)
        self.base = raw / raw.norm(dim=-1, keepdim=True)

    def next(self):
        stretch = torch.rand(self.cfg.batch, 1, 3, generator=self.gen) + 0.5
        clean = self.base * stretch
        noisy = clean + 0.1 * torch.randn(clean.shape, generator=self.gen)
        return noisy, clean
