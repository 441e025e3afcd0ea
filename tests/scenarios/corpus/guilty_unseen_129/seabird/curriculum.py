from typing import NamedTuple


class Phase(NamedTuple):
    length: int
    train: tuple
    noise: float


class Curriculum:
    def __init__(self, phases):
        self.phases = phases

    def steps(self, model):
        for ph in self.phases:
            yield from self._phase(ph, model)

    def _phase(self, ph, model):
        for name, part in model.named_children():
            part.requires_grad_(name in ph.train)  # <- culprit
        for _ in range(ph.length):
            yield ph
