"""Statistics for each layer, gathered by forward hooks."""
import statistics


class Probe:
    def __init__(self, name):
        self.name = name
        self.calls = 0

    def __call__(self, module, args, output):
        self.calls += 1
        self.observe(output)

    def observe(self, output):
        raise NotImplementedError


class SparsityProbe(Probe):
    def __init__(self, name):
        super().__init__(name)
        self.zero_share = []

    def observe(self, output):
        self.zero_share.append((output <= 0).float().mean().item())

    def summary(self):
        return statistics.fmean(self.zero_share[-10:])


class SpreadProbe(Probe):
    def __init__(self, name):
        super().__init__(name)
        self.spread = []

    def observe(self, output):
        self.spread.append(output.std(dim=0).mean())  # <- culprit

    def summary(self):
        return statistics.fmean(v.item() for v in self.spread[-10:])


KINDS = {"linear": SpreadProbe, "relu": SparsityProbe}


def attach(model):
    probes = {}
    for name, module in model.named_modules():
        kind = KINDS.get(type(module).__name__.lower())
        if kind is not None:
            probes[name] = kind(name)
            module.register_forward_hook(probes[name])
    return probes
