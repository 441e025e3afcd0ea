"""Range observers attached to layers by forward hooks; their ranges are exported after training."""
import torch


class RangeObserver:
    def __init__(self, name):
        self.name = name
        self.lo = torch.tensor(0.0)
        self.hi = torch.tensor(0.0)

    def __call__(self, module, inputs, output):
        flat = output.flatten()
        self.lo = torch.minimum(self.lo, flat.min())  # <- culprit
        self.hi = torch.maximum(self.hi, flat.max())  # <- culprit

    def qparams(self, bits=8):
        scale = (self.hi - self.lo).item() / (2 ** bits - 1)
        zero = round(-self.lo.item() / max(scale, 1e-9))
        return {"layer": self.name, "scale": scale, "zero_point": zero}


def attach(model, kinds):
    found = []
    for name, mod in model.named_modules():
        if isinstance(mod, kinds):
            obs = RangeObserver(name)
            mod.register_forward_hook(obs)
            found.append(obs)
    return found
