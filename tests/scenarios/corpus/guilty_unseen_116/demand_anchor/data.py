import math

import torch


def depot_hours(cfg):
    """Returns a function giving one epoch of (x, y) batches."""
    gen = torch.Generator().manual_seed(cfg.seed + 1)
    mix = torch.randn(cfg.features, cfg.depots, generator=gen) * 0.4

    def epoch(index):
        for k in range(cfg.steps_per_epoch):
            x = torch.randn(cfg.batch, cfg.features, generator=gen)
            season = math.sin((index * cfg.steps_per_epoch + k) / 25.0)
            noise = 0.1 * torch.randn(cfg.batch, cfg.depots, generator=gen)
            yield x, torch.relu(x @ mix) + 1.5 + 0.3 * season + noise

    return epoch
