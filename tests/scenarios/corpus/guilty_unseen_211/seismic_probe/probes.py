class ActivationProbe:
    """Root-mean-square of chosen layers, read out once per step."""

    def __init__(self, model, names):
        modules = dict(model.named_modules())
        self.taps = {name: [] for name in names}
        self._seen = {}
        self._handles = [
            modules[name].register_forward_hook(self._make_hook(name)) for name in names
        ]

    def _make_hook(self, name):
        def hook(module, args, output):
            self.taps[name].append(output)  # <- culprit
            self._seen[name] = self._seen.get(name, 0) + 1
        return hook

    def summary(self):
        return {
            name: outs[-1].detach().pow(2).mean().sqrt().item()
            for name, outs in self.taps.items()
        }

    def reset(self):
        self._seen.clear()  # <- culprit

    def close(self):
        for h in self._handles:
            h.remove()
