from collections import defaultdict

import torch


class NoiseLevelMeter:
    """Mean loss for each band of diffusion time."""

    def __init__(self, n_bins, t_max):
        self.n_bins, self.t_max = n_bins, t_max
        self.bins = defaultdict(list)

    def record(self, t, values):
        which = t * self.n_bins // self.t_max
        for b in which.unique().tolist():
            self.bins[b].append(values[which == b].mean())  # <- culprit

    def summary(self):
        return {f"t-band {b}": torch.stack(v).mean().item() for b, v in sorted(self.bins.items())}
