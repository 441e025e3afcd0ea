from dataclasses import dataclass

SPEC = """
burnin  40   1
tune    230  0
"""


@dataclass
class Leg:
    name: str
    ticks: int
    window: int


@dataclass
class Plan:
    legs: list

    @property
    def total(self):
        return sum(l.ticks for l in self.legs)

    def window_at(self, tick):
        for leg in self.legs:
            if tick < leg.ticks:
                return leg.window
            tick -= leg.ticks
        return self.legs[-1].window


def load(text=SPEC):
    rows = [r.split() for r in text.strip().splitlines()]
    return Plan([Leg(n, int(t), int(w)) for n, t, w in rows])
