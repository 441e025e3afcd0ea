import torch
from torch.utils.checkpoint import checkpoint

INTEGRATORS = {}


def integrator(name):
    def note(cls):
        INTEGRATORS[name] = cls
        return cls

    return note


class Integrator:
    def __init__(self, law, dt):
        self.law = law
        self.dt = dt

    def advance(self, state):
        raise NotImplementedError

    def segment(self, state, steps):
        stops = []
        for _ in range(steps):
            state = self.advance(state)
            stops.append(state)
        return torch.stack(stops)

    def trace(self, state, segments, steps):
        pieces = []
        for _ in range(segments):
            piece = checkpoint(self.segment, state, steps, use_reentrant=False)
            state = piece[-1]
            pieces.append(piece)
        return torch.cat(pieces)


@integrator("euler")
class Euler(Integrator):
    def advance(self, state):
        return state + self.dt * self.law(state)


@integrator("midpoint")
class Midpoint(Integrator):
    def advance(self, state):
        half = state + 0.5 * self.dt * self.law(state)
        return state + self.dt * self.law(half)
