"""Training plug-ins.  A plug-in subscribes to the phases of a step by defining methods."""
import math

import torch

CATALOGUE = {}


def plugin(label):
    def put(cls):
        CATALOGUE[label] = cls
        return cls
    return put


class Plugin:
    def attach(self, fit):
        pass

    def penalty(self, fit):
        return None

    def after_backward(self, fit):
        pass

    def after_step(self, fit):
        pass


@plugin("clip")
class ClipNorm(Plugin):
    def __init__(self, limit=1.0):
        self.limit = limit

    def after_backward(self, fit):
        torch.nn.utils.clip_grad_norm_(fit.net.parameters(), self.limit)


@plugin("elastic")
class ElasticRest(Plugin):
    """Pull every weight toward a slowly moving rest position (elastic averaging)."""

    def __init__(self, stiffness=1e-3, drift=0.02, skip=("bias",)):
        self.stiffness = stiffness
        self.drift = drift
        self.skip = skip
        self.rest = {}

    def _members(self, fit):
        for name, w in fit.net.named_parameters():
            if not name.endswith(tuple(self.skip)):
                yield name, w

    def attach(self, fit):
        self.rest.update((name, w.detach().clone()) for name, w in self._members(fit))

    def penalty(self, fit):
        pull = [(w - self.rest[name]).square().sum() for name, w in self._members(fit)]
        return self.stiffness * torch.stack(pull).sum()

    def after_backward(self, fit):
        for name, w in self._members(fit):
            self.rest[name] = torch.lerp(self.rest[name], w, self.drift)  # <- culprit


@plugin("warmcos")
class WarmCosine(Plugin):
    def __init__(self, peak=2e-3, warm=30, total=300):
        self.peak, self.warm, self.total = peak, warm, total

    def after_step(self, fit):
        k = fit.ticks + 1
        if k < self.warm:
            rate = self.peak * k / self.warm
        else:
            rate = 0.5 * self.peak * (1 + math.cos(math.pi * min(1.0, k / self.total)))
        for group in fit.opt.param_groups:
            group["lr"] = rate
