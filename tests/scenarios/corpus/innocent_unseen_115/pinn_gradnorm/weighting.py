from collections import deque

import torch


class GradNormWeights:
    def __init__(self, keys, alpha=0.9, ref="pde", cap=50.0):
        self.alpha, self.ref, self.cap = alpha, ref, cap
        self.lam = {k: torch.ones(()) for k in keys}

    def update(self, terms, net):
        params = [p for n, p in net.named_parameters() if n.endswith("weight")]
        flat = {}
        for k, v in terms.items():
            g = torch.autograd.grad(v, params, retain_graph=True, allow_unused=True)
            flat[k] = torch.cat([gi.abs().flatten() for gi in g if gi is not None])
        top = flat[self.ref].max()
        for k in terms:
            if k != self.ref:
                hat = (top / (flat[k].mean() + 1e-8)).clamp(max=self.cap)
                self.lam[k] = self.alpha * self.lam[k] + (1 - self.alpha) * hat


class LossWindow:
    """Mean of the newer half over mean of the older half, per term."""

    def __init__(self, length):
        self.past = deque(maxlen=length)

    def push(self, terms):
        self.past.append({k: v.detach() for k, v in terms.items()})

    def rates(self):
        h = len(self.past) // 2
        if h < 5:
            return {k: 1.0 for k in self.past[0]}
        old, new = list(self.past)[:h], list(self.past)[h:]
        out = {}
        for k in old[0]:
            r = torch.stack([d[k] for d in new]).mean() / (torch.stack([d[k] for d in old]).mean() + 1e-12)
            out[k] = r.clamp(0.5, 2.0)
        return out
