"""A site owns its copy of the model, its optimizer and the proximal pull."""
import torch
import torch.nn.functional as F
from torch.nn.utils import parameters_to_vector

from wards import draw


class ProximalPull:
    """FedProx-style term whose reference follows the local weights with a small rate."""

    def __init__(self, net, strength, rate):
        self.net = net
        self.strength = strength
        self.rate = rate
        self.reference = parameters_to_vector(net.parameters()).detach().clone()

    def __call__(self):
        here = parameters_to_vector(self.net.parameters())
        gap = (here - self.reference).square().sum()
        self.reference = torch.lerp(self.reference, here, self.rate)  # <- culprit
        return self.strength * gap, gap.item()


class Site:
    def __init__(self, net, ward, cfg):
        self.net = net
        self.ward = ward
        self.opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
        self.pull = ProximalPull(net, cfg.strength, cfg.drift)
        self.last_drift = 0.0

    def local_step(self):
        rows, outcome = draw(self.ward, 64)
        fit = F.binary_cross_entropy_with_logits(self.net(rows), outcome)
        prox, self.last_drift = self.pull()
        self.opt.zero_grad(set_to_none=True)
        (fit + prox).backward()
        self.opt.step()
        return fit.item()

    @torch.no_grad()
    def score(self, ward):
        rows, outcome = ward
        self.net.eval()
        hit = ((self.net(rows) > 0) == outcome.bool()).float().mean().item()
        self.net.train()
        return hit


def merge_round(site):
    """Server side of the round: one participating silo here, so only the learning rate moves."""
    for group in site.opt.param_groups:
        group["lr"] *= 0.95
