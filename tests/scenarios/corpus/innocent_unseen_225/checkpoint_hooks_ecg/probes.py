from contextlib import contextmanager


class ActivationProbe:
    def __init__(self):
        self.stats = {}
        self.raw = {}

    def hook(self, name):
        def fn(module, args, output):
            self.raw[name] = output
        return fn

    def summarise(self):
        for name, out in self.raw.items():
            dead = (out.detach() <= 0).float().mean().item()
            self.stats.setdefault(name, []).append(round(dead, 3))
        self.raw.clear()


@contextmanager
def probing(model, probe, names):
    handles = []
    for name, module in model.named_modules():
        if name in names:
            handles.append(module.register_forward_hook(probe.hook(name)))
    try:
        yield probe
    finally:
        for handle in handles:
            handle.remove()
        probe.summarise()
