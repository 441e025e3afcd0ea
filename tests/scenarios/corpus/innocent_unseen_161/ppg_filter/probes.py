from collections import defaultdict, deque


class ActivationProbe:
    def __init__(self, net, names):
        self.latest = {}
        self.stats = defaultdict(lambda: deque(maxlen=30))
        for name in names:
            net.get_submodule(name).register_forward_hook(self.hook(name))

    def hook(self, name):
        def fn(module, args, out):
            self.latest[name] = out
            self.stats[name].append(out.detach().mean())
        return fn

    def sparsity(self):
        return sum(t.abs().mean() for t in self.latest.values())

    def summary(self):
        return {k: round((sum(v) / len(v)).item(), 3) for k, v in self.stats.items()}
