import copy

import torch
import torch.nn.functional as F


class FeatureRing:
    def __init__(self, slots, dim):
        self.bank = F.normalize(torch.randn(slots, dim), dim=1)
        self.at = 0

    def push(self, feats):
        for f in feats.detach():
            self.bank[self.at] = f
            self.at = (self.at + 1) % len(self.bank)

    def view(self):
        return self.bank.clone()


class EmaTwin:
    def __init__(self, net, keep):
        self.net, self.keep = copy.deepcopy(net), keep
        self.net.requires_grad_(False)

    @torch.no_grad()
    def follow(self, net):
        for slow, fast in zip(self.net.parameters(), net.parameters()):
            slow.lerp_(fast, 1 - self.keep)


class Contrast:
    def __init__(self, net, twin, ring, heat=0.2):
        self.net, self.twin, self.ring, self.heat = net, twin, ring, heat

    def __call__(self, a, b):
        q = F.normalize(self.net(a), dim=1)
        k = F.normalize(self.twin.net(b), dim=1)
        same = (q * k).sum(1, keepdim=True)
        others = q @ self.ring.view().t()
        self.ring.push(k)
        logits = torch.cat([same, others], 1) / self.heat
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
