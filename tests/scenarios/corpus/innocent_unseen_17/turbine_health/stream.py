from dataclasses import dataclass

import torch


@dataclass
class Chunk:
    sensors: torch.Tensor
    health: torch.Tensor
    replaced: torch.Tensor


class TurbineFleet:
    channels = 6

    def __init__(self, machines, length, seed):
        self.machines, self.length = machines, length
        self.rng = torch.Generator().manual_seed(seed)
        self.mix = torch.randn(2, self.channels, generator=self.rng)

    def __iter__(self):
        health = torch.ones(self.machines)
        wear = 0.001 + 0.002 * torch.rand(self.machines, generator=self.rng)
        while True:
            replaced = health < 0.2
            health = torch.where(replaced, torch.ones_like(health), health)
            sensors, truth = [], []
            for _ in range(self.length):
                load = torch.rand(self.machines, generator=self.rng)
                health = (health - wear * (0.5 + load)).clamp(min=0.0)
                drive = torch.stack([load, 1 - health], 1) @ self.mix
                sensors.append(drive + 0.05 * torch.randn(drive.shape, generator=self.rng))
                truth.append(health)
            yield Chunk(torch.stack(sensors), torch.stack(truth), replaced)
