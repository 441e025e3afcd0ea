from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class BuildingSpec:
    floors: int = 14
    actions: int = 6
    towers: int = 16
    ticks: int = 180
    memory: int = 256
    warmup: int = 64
    batch: int = 64
    gamma: float = 0.9
    sync_every: int = 20
    lr: float = 1e-3


class Building:
    def __init__(self, spec: BuildingSpec, seed: int) -> None:
        self.spec = spec
        self.gen = torch.Generator().manual_seed(seed)
        self.serves = (torch.rand(spec.actions, spec.floors, generator=self.gen) < 0.4).float()
        self.calls = torch.rand(spec.towers, spec.floors, generator=self.gen)

    def observe(self) -> torch.Tensor:
        return self.calls.clone()

    def step(self, choice: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        served = self.serves[choice]
        arriving = 0.15 * torch.rand(self.calls.shape, generator=self.gen)
        self.calls = (self.calls * (1 - 0.8 * served) + arriving).clamp(max=2.0)
        return -self.calls.mean(dim=1), self.observe()
