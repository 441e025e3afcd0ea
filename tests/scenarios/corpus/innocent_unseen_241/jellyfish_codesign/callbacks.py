from collections import deque

import torch


class Console:
    def __init__(self, every):
        self.every = every

    def __call__(self, g, designer, body, brain):
        if g % self.every == 0:
            print(f"gen {g:3d} body {body:+.4f} brain {brain:+.4f}")


class BestSwim:
    def __init__(self):
        self.distance = float("-inf")
        self.generation = None
        self.path = None

    def __call__(self, g, designer, body, brain):
        distance = designer.current["distance"].item()
        if distance > self.distance:
            self.distance = distance
            self.generation = g
            self.path = designer.current["path"].detach().clone()


class WearLog:
    def __init__(self, keep):
        self.rows = deque(maxlen=keep)

    def __call__(self, g, designer, body, brain):
        self.rows.append(designer.wear)

    def trend(self):
        stack = torch.stack(tuple(self.rows))
        return (stack[-1] - stack[0]).mean().item()
