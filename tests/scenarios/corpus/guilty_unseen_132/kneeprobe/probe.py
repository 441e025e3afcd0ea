from collections import defaultdict


class Probe:
    """Keeps what the watched layers put out, for the dead-unit plots."""

    def __init__(self, net, watch):
        self.taps = defaultdict(list)
        for name, module in net.named_modules():
            if name in watch:
                module.register_forward_hook(self._tap(name))

    def _tap(self, name):
        def hook(module, args, output):
            self.taps[name].append(output)  # <- culprit

        return hook

    def spread(self):
        return {k: float(v[-1].std()) for k, v in self.taps.items()}
