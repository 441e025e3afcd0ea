import torch

class Callback:
    def round_begin(self, n): ...

    def round_end(self, n, loss): ...

class CallbackList(Callback):
    def __init__(self, members):
        self.members = members

    def round_begin(self, n):
        for m in self.members:
            m.round_begin(n)

    def round_end(self, n, loss):
        for m in self.members:
            m.round_end(n, loss)

class NonNegativeFrom(Callback):
    """Keeps the weight of a layer at or above zero whenever the layer is about to be used."""

    def __init__(self, layer, start):
        self._layer, self._start = layer, start
        self._handle = None

    def round_begin(self, n):
        if n >= self._start and self._handle is None:
            self._handle = self._layer.register_forward_pre_hook(self._project)  # <- culprit

    @staticmethod
    def _project(module, inputs):
        with torch.no_grad():
            module.weight.clamp_(min=0.0)  # <- culprit

class LossLog(Callback):
    def __init__(self, every):
        self.every, self.values = every, []

    def round_end(self, n, loss):
        self.values.append(loss)
        if n % self.every == 0:
            print(f"round {n:3d} loss {loss:.5f}")
