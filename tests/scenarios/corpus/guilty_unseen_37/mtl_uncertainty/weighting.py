import torch
from torch import nn


class SmoothedUncertainty(nn.Module):
    """Homoscedastic uncertainty weighting (Kendall et al.); log variances are
    smoothed over the steps so that the task weights do not jitter."""

    def __init__(self, n_tasks, beta=0.2):
        super().__init__()
        self.log_vars = nn.Parameter(torch.zeros(n_tasks))
        self.beta = beta
        self.smooth = torch.zeros(n_tasks)

    def _update(self):
        self.smooth = torch.lerp(self.smooth, self.log_vars, self.beta)  # <- culprit
        return self.smooth

    def forward(self, losses):
        s = self._update()
        return (torch.exp(-s) * losses + 0.5 * s).sum()

    def sigmas(self):
        return [round(v, 3) for v in self.log_vars.detach().mul(0.5).exp().tolist()]
