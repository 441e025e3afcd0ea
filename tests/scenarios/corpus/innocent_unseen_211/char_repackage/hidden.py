import torch


def repackage(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage(v) for v in h)


class StateKeeper:
    def __init__(self, start):
        self.current = start
        self.steps = 0

    def push(self, hidden):
        self.current = hidden
        self.steps += 1
