import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.utils.parametrize as parametrize


class Positive(nn.Module):
    def forward(self, raw):
        return F.softplus(raw)

    def right_inverse(self, w):
        return torch.log(torch.expm1(w.clamp_min(1e-3)))


def rising(n_in, n_out):
    layer = nn.Linear(n_in, n_out)
    nn.init.uniform_(layer.weight, 0.05, 0.8)
    with torch.no_grad():
        layer.weight.div_(n_in ** 0.5)
    parametrize.register_parametrization(layer, "weight", Positive())
    return layer


class CalibrationNet(nn.Module):
    def __init__(self, labs, width=16):
        super().__init__()
        self.rise = rising(1, width)
        self.mix = rising(width, width)
        self.top = rising(width, 1)
        self.lab = nn.Embedding(labs, 1)
        nn.init.zeros_(self.lab.weight)
        self.log_sd = nn.Parameter(torch.tensor(-1.0))

    def forward(self, cal, lab):
        h = torch.tanh(self.rise(cal))
        h = torch.tanh(self.mix(h))
        return (self.top(h) + self.lab(lab)).squeeze(-1)

    def nll(self, cal, lab, c14):
        z = (c14 - self(cal, lab)) * torch.exp(-self.log_sd)
        return (0.5 * z * z + self.log_sd).mean()
