import torch

REGISTRY = {}


def register(name):
    def deco(cls):
        REGISTRY[name] = cls
        return cls
    return deco


def build_regularizer(name, net, **kw):
    return REGISTRY[name](net, **kw)


class AnchorRegularizer:
    """Quadratic pull of the parameters towards an anchor point."""

    def __init__(self, net, strength=1.0):
        self.params = dict(net.named_parameters())
        self.strength = strength
        self.anchor = {n: p.detach().clone() for n, p in self.params.items()}

    def penalty(self):
        terms = [(p - self.anchor[n]).pow(2).sum() for n, p in self.params.items()]
        return 0.5 * self.strength * torch.stack(terms).sum()

    def after_step(self):
        pass

    def after_task(self):
        pass


@register("l2")
class TaskAnchor(AnchorRegularizer):
    """Anchor = weights at the end of the previous task."""

    def after_task(self):
        for n, p in self.params.items():
            self.anchor[n] = p.detach().clone()


@register("slow")
class SlowWeights(AnchorRegularizer):
    """Anchor = exponential moving average of the weights."""

    def __init__(self, net, strength=1.0, rate=0.05):
        super().__init__(net, strength)
        self.rate = rate

    def after_step(self):
        for n, p in self.params.items():
            self.anchor[n] = torch.lerp(self.anchor[n], p, self.rate)  # <- culprit
