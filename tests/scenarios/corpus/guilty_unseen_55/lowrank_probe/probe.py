from collections import defaultdict, deque

import torch


class Tape(defaultdict):
    """Layer name -> the last few recordings of that layer."""

    def __init__(self, keep):
        super().__init__(lambda: deque(maxlen=keep))

    def record(self, name, tensor):
        self[name].append(tensor)  # <- culprit

    def spread(self, name):
        reel = self[name]
        with torch.no_grad():
            return torch.stack([t.std() for t in reel]).mean().item() if reel else float("nan")


class Probe:
    def __init__(self, every, keep=8):
        self.every = every
        self.clock = 0
        self.tape = Tape(keep)

    def due(self):
        return self.clock % self.every == 0

    def watch(self, name, module):
        def hook(mod, args, out):
            if self.due():
                self.tape.record(name, out)  # <- culprit

        return module.register_forward_hook(hook)

    def advance(self):
        self.clock += 1

    def summary(self):
        return " ".join(f"{n}:{self.tape.spread(n):.3f}" for n in sorted(self.tape))
