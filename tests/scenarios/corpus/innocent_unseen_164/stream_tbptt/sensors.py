import math

import torch


class Carrier:
    def reset(self):
        self.state = None
        self.age = 0

    def put(self, state):
        self.state = state
        self.age += 1

    def cut(self):
        self.state = tuple(s.detach() for s in self.state)


class Sensor(Carrier):
    def __init__(self, name, freq, phase):
        self.name = name
        self.freq = freq
        self.phase = phase
        self.clock = 0
        self.pending = []
        self.reset()

    def next(self):
        t = self.clock
        self.clock += 1
        now = math.sin(self.freq * t + self.phase)
        nxt = math.sin(self.freq * (t + 1) + self.phase)
        return torch.tensor([[now, self.freq]]), torch.tensor([[nxt]])


def make(count):
    return {f"s{i}": Sensor(f"s{i}", 0.2 + 0.1 * i, 0.5 * i) for i in range(count)}
