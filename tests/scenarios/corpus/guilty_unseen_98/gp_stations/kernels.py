import math

import torch
from torch import nn


class NearSingular(RuntimeError):
    def __init__(self, corr):
        super().__init__("two stations correlate at %.5f" % corr)
        self.corr = corr


class Matern32(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_len = nn.Parameter(torch.tensor(-1.0))
        self.log_var = nn.Parameter(torch.tensor(0.0))
        self.log_noise = nn.Parameter(torch.tensor(-2.0))

    def forward(self, xy):
        d = (xy.unsqueeze(0) - xy.unsqueeze(1)).pow(2).sum(-1)
        r = (d + 1e-10).sqrt() * math.sqrt(3) / self.log_len.exp()
        return self.log_var.exp() * (1 + r) * torch.exp(-r)

    def describe(self):
        return "len %.3f var %.3f noise %.4f" % (
            self.log_len.exp().item(), self.log_var.exp().item(), self.log_noise.exp().item())


def covariance(kernel, xy, jitter):
    K = kernel(xy)
    eye = torch.eye(len(xy))
    corr = (K.detach() / kernel.log_var.exp().item() - eye).max().item()
    if jitter == 0.0 and corr > 0.9999:
        raise NearSingular(corr)
    return K + (kernel.log_noise.exp() + jitter) * eye


def neg_log_likelihood(kernel, xy, y, jitter=0.0):
    C = covariance(kernel, xy, jitter)
    L = torch.linalg.cholesky(C)
    a = torch.cholesky_solve(y.unsqueeze(1), L).squeeze(1)
    return 0.5 * (y @ a) + L.diagonal().log().sum()
