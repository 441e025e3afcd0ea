class Probes:
    """Watches how saturated the named layers are."""

    def __init__(self, module, names):
        self.taps = {}
        children = dict(module.named_modules())
        for name in names:
            self.taps[name] = []
            children[name].register_forward_hook(self._listener(self.taps[name]))

    def _listener(self, bucket):
        def hear(module, args, out):
            level = out.abs().flatten(1).amax(1).mean()
            bucket.append(level)  # <- culprit
        return hear

    def saturation(self):
        return {k: round(max(float(x) for x in v[-10:]), 3) for k, v in self.taps.items()}
