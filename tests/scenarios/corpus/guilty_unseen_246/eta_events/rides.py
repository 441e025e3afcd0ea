import dataclasses

import torch


@dataclasses.dataclass
class Rides:
    zone: torch.Tensor
    features: torch.Tensor
    minutes: torch.Tensor


class RideStream:
    def __init__(self, zones, size, steps):
        self.zones = zones
        self.size = size
        self.steps = steps
        self.gen = torch.Generator().manual_seed(6)
        self.zone_delay = torch.rand(zones, generator=self.gen)

    def __iter__(self):
        for _ in range(self.steps):
            zone = torch.randint(0, self.zones, (self.size,), generator=self.gen)
            features = torch.rand(self.size, 5, generator=self.gen)
            distance = features[:, 0] * 4.0
            rush = 1.0 + features[:, 1] * self.zone_delay[zone]
            noise = 0.1 * torch.randn(self.size, generator=self.gen)
            yield Rides(zone, features, distance * rush + noise)
