import torch
import torch.nn.functional as F
from torch import nn


class SourceWeights(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.raw = nn.Parameter(torch.zeros(n))

    def forward(self):
        return torch.sigmoid(self.raw)


def outer_round(cat, weights, fit, opt):
    with fit:
        theta = fit.solve(cat.train_x, cat.train_y, weights())
        # average of the last iterates is less jumpy than the last one
        tail = torch.stack(fit.iterates[-3:]).mean(0)
        val = F.cross_entropy(cat.val_x @ tail, cat.val_y)
        opt.zero_grad()
        val.backward()
        opt.step()
        return val.item(), fit.path_length()
