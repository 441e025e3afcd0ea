import torch

FIBRES = {}


def fibre(name):
    def wrap(cls):
        FIBRES[name] = cls
        return cls

    return wrap


class IntegrateAndTire(torch.autograd.Function):
    """One step of membrane and fatigue with a hand-written surrogate slope."""

    @staticmethod
    def forward(ctx, membrane, fatigue, drive, synapses, keep, rest):
        current = drive @ synapses
        next_membrane = keep * membrane + current - fatigue
        next_fatigue = rest * fatigue + (1 - rest) * torch.sigmoid(next_membrane)
        ctx.drive = drive
        ctx.synapses = synapses
        ctx.slope = torch.sigmoid(next_membrane) * (1 - torch.sigmoid(next_membrane))
        ctx.keep = keep
        ctx.rest = rest
        return next_membrane, next_fatigue

    @staticmethod
    def backward(ctx, grad_membrane, grad_fatigue):
        through = grad_membrane + grad_fatigue * (1 - ctx.rest) * ctx.slope
        grad_old_membrane = ctx.keep * through
        grad_old_fatigue = ctx.rest * grad_fatigue - through
        grad_synapses = ctx.drive.t() @ through
        return grad_old_membrane, grad_old_fatigue, None, grad_synapses, None, None


class FibreBank(torch.nn.Module):
    def silence(self, listeners):
        raise NotImplementedError


@fibre("adaptive_lif")
class AdaptiveLIF(FibreBank):
    def __init__(self, channels, fibres, keep, rest):
        super().__init__()
        self.synapses = torch.nn.Parameter(torch.randn(channels, fibres) / channels ** 0.5)
        self.keep = keep
        self.rest = rest
        self.fibres = fibres
        self.membrane = None
        self.fatigue = None

    def silence(self, listeners):
        self.membrane = torch.zeros(listeners, self.fibres)
        self.fatigue = torch.zeros(listeners, self.fibres)

    def forward(self, drive):
        membrane, fatigue = IntegrateAndTire.apply(  # <- culprit
            self.membrane,
            self.fatigue,
            drive,
            self.synapses,
            self.keep,
            self.rest,
        )
        self.membrane = membrane  # <- culprit
        self.fatigue = fatigue  # <- culprit
        return torch.tanh(membrane)
