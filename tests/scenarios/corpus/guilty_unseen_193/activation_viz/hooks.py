from collections import defaultdict

import torch


class ActivationRecorder:
    """Collects layer outputs so that they can be drawn once training is over."""

    def __init__(self, layers, keep_rows=2):
        self.keep_rows = keep_rows
        self.frames = defaultdict(list)
        self.handles = [m.register_forward_hook(self._make(name)) for name, m in layers.items()]

    def _make(self, name):
        def hook(module, inputs, output):
            if isinstance(output, torch.Tensor):
                self.frames[name].append(output[: self.keep_rows].detach().clone())
            else:
                seq = output[0]
                self.frames[name].append(seq[: self.keep_rows, -1])  # <- culprit
        return hook

    def stats(self):
        return {k: float(torch.stack([f.float().std() for f in v[-20:]]).mean()) for k, v in self.frames.items()}

    def thin(self, limit):
        for name, frames in self.frames.items():
            if len(frames) > limit:
                self.frames[name] = frames[::2]

    def close(self):
        for h in self.handles:
            h.remove()
