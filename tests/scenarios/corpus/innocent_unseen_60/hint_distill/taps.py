class ActivationTap:
    """Keeps the latest output of some layers; the store is emptied with `clear`."""

    def __init__(self, model, layers):
        self.store = {}
        self.handles = []
        for name, module in model.named_modules():
            if name in layers:
                self.handles.append(module.register_forward_hook(self.make_hook(name)))

    def make_hook(self, name):
        def hook(module, args, output):
            self.store.setdefault(name, []).append(output)
        return hook

    def clear(self):
        self.store.clear()

    def __getitem__(self, name):
        return self.store[name]

    def remove(self):
        for h in self.handles:
            h.remove()
        self.handles = []
