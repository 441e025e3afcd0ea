import math

import torch


def seasons(n, seed, fields=16, days=180):
    """Synthetic seasons: temperature, rain, radiation and wind for each field."""
    gen = torch.Generator().manual_seed(seed)
    day = torch.arange(days) / days
    for _ in range(n):
        warm = torch.sin(math.pi * day) + 0.3 * torch.randn(fields, days, generator=gen)
        rain = torch.relu(torch.randn(fields, days, generator=gen) - 0.8)
        light = torch.sin(math.pi * day).expand(fields, days) - 0.2 * rain
        wind = torch.rand(fields, days, generator=gen)
        field = torch.randn(fields, 5, generator=gen)
        harvest = 3.0 * warm.mean(1) + 1.5 * torch.tanh(3 * rain.mean(1)) + 0.3 * field[:, 0]
        yield {
            "weather": torch.stack([warm, rain, light, wind], dim=1),
            "field": field,
            "yield": harvest,
        }
