from functools import partial


class RunningStat:
    def __init__(self, momentum):
        self.momentum = momentum
        self.mean = None
        self.peak = 0.0

    def update(self, act):
        m = act.mean()
        if self.mean is None:
            self.mean = m  # <- culprit
        else:
            self.mean = self.momentum * self.mean + (1 - self.momentum) * m  # <- culprit
        self.peak = max(self.peak, act.abs().max().item())


class ActivationProbe:
    def __init__(self, momentum=0.9):
        self.momentum = momentum
        self.stats = {}
        self.handles = []

    def attach(self, model, kinds):
        for name, mod in model.named_modules():
            if isinstance(mod, kinds):
                self.stats[name] = RunningStat(self.momentum)
                self.handles.append(mod.register_forward_hook(partial(self._on_forward, name)))
        return self

    def _on_forward(self, name, module, inputs, output):
        self.stats[name].update(output)  # <- culprit

    def rows(self):
        return [f"{n:8s} mean {s.mean:+.3f} peak {s.peak:.2f}" for n, s in self.stats.items()]

    def detach_all(self):
        for h in self.handles:
            h.remove()
