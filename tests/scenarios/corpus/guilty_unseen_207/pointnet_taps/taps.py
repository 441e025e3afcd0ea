from contextlib import contextmanager
from functools import partial


class FeatureRecorder:
    def __init__(self):
        self.taps = {}

    def capture(self, name, module, inputs, output):
        self.taps.setdefault(name, []).append(output)  # <- culprit

    def sparsity(self):
        return {
            name: round((maps[-1] == 0).float().mean().item(), 3)
            for name, maps in self.taps.items()
        }


@contextmanager
def record_features(net, names):
    recorder = FeatureRecorder()
    handles = [
        net.get_submodule(name).register_forward_hook(partial(recorder.capture, name))
        for name in names
    ]
    try:
        yield recorder
    finally:
        for handle in handles:
            handle.remove()
