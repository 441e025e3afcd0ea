from typing import NamedTuple

import torch
import torch.nn.functional as F


class Stats(NamedTuple):
    mse: float
    rate: float
    busiest: int


class Experiment:
    """Decoding error plus a homeostatic term that draws every neuron to the target
    rate. The sensitivity of the error to each neuron is tracked for the supplement."""

    def __init__(self, net, lr, rate_target, homeostasis):
        self.net = net
        self.rate_target = rate_target
        self.homeostasis = homeostasis
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.sensitivity = None

    def _track(self, mse, rate):
        (g,) = torch.autograd.grad(mse, rate)
        s = g.abs().mean(0)
        self.sensitivity = s if self.sensitivity is None else 0.95 * self.sensitivity + 0.05 * s

    def iterate(self, counts, velocity):
        decoded, rate = self.net(counts)
        mse = F.mse_loss(decoded, velocity)
        homeo = (rate.mean(0) - self.rate_target).pow(2).mean()
        self.opt.zero_grad()
        (mse + self.homeostasis * homeo).backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self._track(mse, rate)
        self.opt.step()
        return Stats(mse.item(), rate.mean().item(), int(self.sensitivity.argmax()))
