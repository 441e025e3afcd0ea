import torch


class ModelPar:
    """gain = (UA*C to the cold side, UA*C/2 from the hot side), bias = unmodelled heat."""

    def __init__(self, gain=(0.2, 0.2), bias=(0.0, 0.0)):
        self.gain = torch.tensor(gain, requires_grad=True)
        self.bias = torch.tensor(bias, requires_grad=True)

    def leaves(self):
        return [self.gain, self.bias]

    def prior(self):
        return ((self.gain - 0.25) ** 2).sum() + (self.bias ** 2).sum()

    def frozen(self):
        out = object.__new__(ModelPar)
        out.gain, out.bias = self.gain.detach(), self.bias.detach()
        return out


SGN = torch.tensor([1.0, -1.0])
LOSS = torch.tensor([0.2, 0.3])


def predict(par, x, u):
    dT = (x[1] - x[0]) * SGN
    forced = torch.cat([torch.zeros(1), u])
    return x + 0.5 * (dT * par.gain - LOSS * x + forced) + par.bias
