from collections import deque

import torch


class Callback:
    def on_update(self, learner, loss):
        pass

    def on_fit_end(self, learner):
        pass


class Smoother(Callback):
    """Mean of the last few losses, put where others can see it."""

    def __init__(self, span):
        self.window = deque(maxlen=span)

    def on_update(self, learner, loss):
        self.window.append(loss)
        learner.shared["smooth"] = sum(self.window) / len(self.window)


class Curve(Callback):
    def __init__(self, every):
        self.every, self.points, self.norms = every, [], []

    def on_update(self, learner, loss):
        self.points.append(loss.detach())
        self.norms.append(learner.shared["key_norm"])
        if len(self.points) % self.every == 1:
            print(f"{len(self.points):4d} loss {loss.item():.3f} smooth {learner.shared['smooth'].item():.3f}")

    def on_fit_end(self, learner):
        print("first/last", self.points[0].item(), torch.stack(self.points[-20:]).mean().item())
