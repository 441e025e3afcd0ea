import torch


class UnitRecorder:
    """Context manager: unit activity at decision time, for one session."""

    def __init__(self, layer, every):
        self.layer = layer
        self.every = every
        self.calls = 0
        self.activity = []

    def __enter__(self):
        self.handle = self.layer.register_forward_pre_hook(self._keep)
        return self

    def _keep(self, module, args):
        if self.calls % self.every == 0:
            self.activity.append(args[0].detach().mean(dim=0).clone())
        self.calls += 1

    def dimensionality(self):
        a = torch.stack(self.activity)
        ev = torch.linalg.svdvals(a - a.mean(dim=0)) ** 2
        return (ev.sum() ** 2 / (ev ** 2).sum()).item()

    def __exit__(self, *exc):
        self.handle.remove()
        self.activity.clear()
        return False
