import math

import torch


def days(stations, hours, seed=6):
    """Temperature, time of day as two phases, last hour's load -> this hour's load."""
    gen = torch.Generator().manual_seed(seed)
    base = 0.5 + torch.rand(stations, generator=gen)
    temperature = torch.zeros(stations)
    last = torch.zeros(stations)
    while True:
        rows, loads = [], []
        for hour in range(hours):
            phase = 2 * math.pi * hour / 24
            temperature = 0.95 * temperature + 0.3 * torch.randn(stations, generator=gen)
            load = base * (1 + 0.5 * math.sin(phase - 2)) + 0.2 * temperature.abs() + 0.3 * last
            load = load + 0.03 * torch.randn(stations, generator=gen)
            rows.append(torch.stack([
                temperature, torch.full((stations,), math.sin(phase)), torch.full((stations,), math.cos(phase)), last,
            ], 1))
            loads.append(load)
            last = load
        yield torch.stack(rows, 1), torch.stack(loads, 1)
