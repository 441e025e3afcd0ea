"""Loss curves."""
from collections import defaultdict


class History:
    def __init__(self):
        self.curves = defaultdict(list)
        self.latest = {}

    def before_backward(self, engine):
        self.latest = dict(engine.terms)

    def after_step(self, engine):
        for name, value in self.latest.items():
            self.curves[name].append(value.detach().item())
