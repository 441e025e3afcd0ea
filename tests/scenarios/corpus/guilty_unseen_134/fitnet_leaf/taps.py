from collections import defaultdict


class Tap:
    """Watches the outputs of named submodules."""

    def __init__(self, model, names):
        self.seen = defaultdict(list)
        self.handles = []
        modules = dict(model.named_modules())
        for n in names:
            self.handles.append(modules[n].register_forward_hook(self._recorder(n)))

    def _recorder(self, name):
        def record(module, args, output):
            self.seen[name].append(output)  # <- culprit
        return record

    def latest(self, name):
        return self.seen[name][-1]

    def close(self):
        for h in self.handles:
            h.remove()
