import math

import torch


def chunks(n_chunks, days, n_cells, seed=7):
    """Yield (forcing [days, cells, 4], discharge [days]) pieces of one long series."""
    g = torch.Generator().manual_seed(seed)
    quick = torch.zeros(n_cells)
    slow = torch.zeros(n_cells)
    day = 0
    for _ in range(n_chunks):
        xs, qs = [], []
        for _ in range(days):
            rain = torch.relu(torch.randn(n_cells, generator=g) * 4.0)
            temp = 10 + 9 * math.sin(2 * math.pi * day / 365) + torch.randn(n_cells, generator=g)
            share = torch.sigmoid(0.15 * temp - 1.0)
            quick = quick * 0.55 + rain * share
            slow = slow * 0.96 + rain * (1 - share)
            qs.append((0.45 * quick + 0.04 * slow).mean())
            xs.append(torch.stack([rain, temp / 10, torch.ones(n_cells), torch.rand(n_cells, generator=g)], -1))
            day += 1
        yield torch.stack(xs), torch.stack(qs)
