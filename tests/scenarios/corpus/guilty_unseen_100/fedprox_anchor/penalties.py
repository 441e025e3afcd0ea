import torch

PENALTIES = {}


def register(name):
    def deco(cls):
        PENALTIES[name] = cls
        return cls
    return deco


def build_penalty(cfg, net):
    return PENALTIES[cfg.name](net, strength=cfg.strength, momentum=cfg.momentum)


class Penalty:
    def __init__(self, net, strength, **kw):
        self.strength = strength

    def __call__(self, net):
        raise NotImplementedError

    def refresh(self, net):
        pass


@register("l2")
class L2(Penalty):
    def __init__(self, net, strength, momentum=None):
        super().__init__(net, strength)

    def __call__(self, net):
        return self.strength * sum(p.square().sum() for p in net.parameters())


@register("moving_prox")
class MovingProx(Penalty):
    def __init__(self, net, strength, momentum):
        super().__init__(net, strength)
        self.momentum = momentum
        self.anchor = {n: p.detach().clone() for n, p in net.named_parameters()}

    def __call__(self, net):
        gaps = [(p - self.anchor[n]).square().sum() for n, p in net.named_parameters()]
        return self.strength * torch.stack(gaps).sum()

    def refresh(self, net):
        for name, p in net.named_parameters():
            self.anchor[name] = self._blend(self.anchor[name], p)  # <- culprit

    def _blend(self, old, new):
        return torch.lerp(old, new, 1.0 - self.momentum)  # <- culprit
