class ActivationProbe:
    """Follows the RMS of the residual stream after chosen modules."""

    def __init__(self, model, kinds):
        self.records = {}
        self.handles = []
        for name, mod in model.named_modules():
            if type(mod).__name__ in kinds:
                self.records[name] = []
                self.handles.append(mod.register_forward_hook(self._make(name)))

    def _make(self, name):
        def hook(mod, inputs, output):
            if mod.training:
                rms = output.pow(2).mean().sqrt()
                self.records[name].append(rms)  # <- culprit

        return hook

    def summary(self, last=50):
        out = {}
        for name, vals in self.records.items():
            tail = [v.item() for v in vals[-last:]]
            out[name] = f"rms {sum(tail) / len(tail):.3f} (min {min(tail):.3f}, max {max(tail):.3f})"
        return out

    def close(self):
        for h in self.handles:
            h.remove()
