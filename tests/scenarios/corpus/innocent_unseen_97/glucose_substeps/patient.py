from collections import deque

import torch


class Patient:
    """Any tensor assigned to one of `_state` is stored as a plain value."""

    _state = frozenset({"glucose", "insulin"})

    def __init__(self, name, sensitivity):
        self.name = name
        self.sensitivity = sensitivity
        self.glucose = torch.tensor([1.0])
        self.insulin = torch.tensor([0.2])
        self.recent = deque(maxlen=9)

    def __setattr__(self, key, value):
        if key in self._state:
            value = value.detach()
        object.__setattr__(self, key, value)

    def remember(self, loss):
        self.recent.append(loss)

    def typical(self):
        return torch.stack(list(self.recent)).median().item()


class Ward:
    def __init__(self, seed, patients):
        self.gen = torch.Generator().manual_seed(seed)
        sens = 0.5 + torch.rand(patients, generator=self.gen)
        self.beds = [Patient(f"p{i}", s) for i, s in enumerate(sens)]

    def __iter__(self):
        return iter(self.beds)

    def rounds(self):
        for p in self.beds:
            p.meal = torch.rand(4, generator=self.gen)
            p.measured = (0.7 * p.glucose + 0.4 * p.meal[:2].sum() - 0.2 * p.sensitivity).clamp(0.2, 3)
            yield p
