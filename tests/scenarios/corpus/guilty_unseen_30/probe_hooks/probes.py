"""Look into a network while it trains."""
from collections import defaultdict


class ActivationProbe:
    def __init__(self):
        self.tape = defaultdict(list)
        self.handles = []

    def attach(self, name, module):
        def hook(mod, inputs, output):
            self.tape[name].append(output.mean())  # <- culprit

        self.handles.append(module.register_forward_hook(hook))

    def detach_all(self):
        while self.handles:
            self.handles.pop().remove()

    def drift(self):
        """Mean post-ReLU level in the first and in the last tenth of the run."""
        out = {}
        for name, acts in self.tape.items():
            k = max(1, len(acts) // 10)
            head = float(sum(acts[:k]) / k)
            tail = float(sum(acts[-k:]) / k)
            out[name] = (head, tail)
        return out
