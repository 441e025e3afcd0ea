import torch
from torch import nn


class AbundanceModel(nn.Module):
    def __init__(self, n_species, n_covariates):
        super().__init__()
        self.level = nn.Parameter(torch.zeros(n_species))
        self.slope = nn.Parameter(torch.zeros(n_covariates, n_species))
        self.detect = nn.Parameter(torch.zeros(n_species))

    def nll(self, plot):
        log_rate = self.level + plot.covariates @ self.slope
        log_seen = log_rate + nn.functional.logsigmoid(self.detect)
        ll = plot.counts * log_seen - log_seen.exp()
        return -ll.sum(dim=(1, 2)).mean() / plot.counts[0].numel()

    def penalty(self):
        spread = self.level - self.level.mean()
        return spread.square().mean() + self.slope.square().mean() + 0.1 * self.detect.square().mean()
