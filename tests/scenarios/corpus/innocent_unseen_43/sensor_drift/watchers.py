from collections import deque

import torch


class LossWindow:
    def __init__(self, size):
        self.losses = deque(maxlen=size)
        self.total = 0.0

    def see(self, step, loss, net):
        self.losses.append(loss)
        self.total = self.total + loss

    def text(self):
        return f"window {torch.stack(list(self.losses)).mean():.4f}"


class BestKeeper:
    def __init__(self):
        self.best, self.state = None, None

    def see(self, step, loss, net):
        if self.best is None or loss < self.best:
            self.best = loss
            self.state = {k: v.clone() for k, v in net.state_dict().items()}

    def text(self):
        return f"best {float(self.best):.4f}"


class ActivationMeter:
    def __init__(self, momentum):
        self.m, self.mean = momentum, None

    def __call__(self, module, inputs, output):
        with torch.no_grad():
            cur = output.mean()
            self.mean = cur if self.mean is None else self.m * self.mean + (1 - self.m) * cur
