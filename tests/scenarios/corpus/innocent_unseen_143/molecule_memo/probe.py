class ActivationProbe:
    def __init__(self, layer):
        self.seen = []
        layer.register_forward_hook(self._on_forward)

    def _on_forward(self, layer, args, out):
        self.seen.append(out)

    def penalty(self):
        return sum(o.square().sum() for o in self.seen)

    def reset(self):
        self.seen = []
