"""Taps on named layers, for feature distillation."""
import contextlib


class FeatureTap:
    """Catches the outputs of the given layers while it is open."""

    def __init__(self, model, names):
        self.model = model
        self.names = list(names)
        self.caught = {}

    def _catch(self, name):
        def hook(module, args, output):
            self.caught.setdefault(name, []).append(output)

        return hook

    @contextlib.contextmanager
    def open(self):
        handles = [self.model.get_submodule(n).register_forward_hook(self._catch(n)) for n in self.names]
        try:
            yield self
        finally:
            for h in handles:
                h.remove()

    def take(self):
        """Hands over what was caught, in the order of the names, and is empty afterwards."""
        caught, self.caught = self.caught, {}
        return [caught[n] for n in self.names]


class GradientMeter:
    """Norm of the gradient that arrives at a tensor; one float per name."""

    def __init__(self):
        self.norms = {}

    def watch(self, name, tensor):
        tensor.register_hook(lambda g: self.norms.__setitem__(name, g.norm().item()))
        return tensor
