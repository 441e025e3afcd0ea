class ActivationTaps:
    def __init__(self, model, names):
        self.store = {}
        self.totals = dict.fromkeys(names, 0.0)
        self.calls = 0
        for name in names:
            model.get_submodule(name).register_forward_hook(self.make_hook(name))

    def make_hook(self, name):
        def hook(module, args, output):
            self.store.setdefault(name, []).append(output)

        return hook

    def penalty(self):
        return sum(out.pow(2).mean() for outs in self.store.values() for out in outs)

    def end_step(self):
        for name, outs in self.store.items():
            self.totals[name] += sum(out.abs().mean().item() for out in outs)
        self.calls += 1
        self.store.clear()

    def report(self):
        return {name: round(total / max(1, self.calls), 3) for name, total in self.totals.items()}
