class Taps:
    """Collects outputs of named submodules during a forward pass, for terms of the loss."""

    def __init__(self, model, names):
        self.outputs = {name: [] for name in names}
        modules = dict(model.named_modules())
        for name in names:
            modules[name].register_forward_hook(self._collector(name))

    def _collector(self, name):
        def hook(module, args, output):
            if module.training:
                self.outputs[name].append(output)
        return hook

    def drain(self):
        taken = {k: list(v) for k, v in self.outputs.items()}
        for v in self.outputs.values():
            v.clear()
        return taken
