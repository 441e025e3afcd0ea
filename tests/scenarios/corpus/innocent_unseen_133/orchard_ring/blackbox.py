from collections import deque
from dataclasses import dataclass

import torch


@dataclass
class Frame:
    number: int
    loss: torch.Tensor
    outputs: torch.Tensor

    def ancestry(self):
        fn, names = self.loss.grad_fn, []
        while fn is not None:
            names.append(fn.name())
            fn = fn.next_functions[0][0] if fn.next_functions else None
        return names


class BlackBox:
    """Flight recorder: the latest frames stay whole so a blow-up can be inspected."""

    def __init__(self, slots):
        self.frames = deque(maxlen=slots)
        self.peak = ("", 0.0)

    def note(self, number, loss, outputs):
        self.frames.append(Frame(number, loss, outputs))

    def inspect(self, number, loss, outputs):
        if number % 50:
            return
        worst = max(self.frames, key=lambda f: f.loss.item())
        if worst.loss.item() > self.peak[1]:
            self.peak = (worst.ancestry()[0], worst.loss.item())
