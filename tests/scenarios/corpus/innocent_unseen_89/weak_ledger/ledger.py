import weakref


class Ledger:
    """Grows by a line per noted tensor; the tensor itself is only referred to weakly."""

    def __init__(self):
        self.lines = []
        self.by_name = weakref.WeakValueDictionary()

    def __len__(self):
        return len(self.lines)

    def note(self, kind, it, tensor):
        self.lines.append((kind, it, float(tensor.detach().mean()), weakref.ref(tensor)))
        self.by_name[f"{kind}/{it}"] = tensor

    def alive(self):
        return sum(1 for *_, ref in self.lines if ref() is not None)

    def first(self):
        kind, it, value, _ = self.lines[0]
        return f"{kind}@{it}={value:.3f}"

    def last(self):
        kind, it, value, _ = self.lines[-1]
        return f"{kind}@{it}={value:.3f}"


class WeakTap:
    """Forward hook that notes a layer's output."""

    def __init__(self, layer, ledger):
        self.ledger = ledger
        self.calls = 0
        self.handle = layer.register_forward_hook(self)

    def __call__(self, module, args, output):
        self.ledger.note("hidden", self.calls, output)
        self.calls += 1

    def remove(self):
        self.handle.remove()
