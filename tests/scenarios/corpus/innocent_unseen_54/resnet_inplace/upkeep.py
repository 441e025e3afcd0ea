import copy

import torch


class WeightEMA:
    def __init__(self, net, decay):
        self.shadow = copy.deepcopy(net).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, net):
        for s, p in zip(self.shadow.parameters(), net.parameters()):
            s.lerp_(p, 1 - self.decay)
        for s, b in zip(self.shadow.buffers(), net.buffers()):
            s.copy_(b)


class WeightLimits:
    """Clamp convolution weights and keep output rows on a norm ball."""

    def __init__(self, net, bound):
        self.net, self.bound = net, bound

    @torch.no_grad()
    def apply(self):
        for mod in self.net.modules():
            if isinstance(mod, torch.nn.Conv1d):
                mod.weight.clamp_(-self.bound, self.bound)
        w = self.net.score.weight
        w.div_((w.norm(dim=1, keepdim=True) / self.bound).clamp(min=1.0))
