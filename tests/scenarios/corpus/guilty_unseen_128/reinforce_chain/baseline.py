import torch


class RunningBaseline:
    def __init__(self, momentum):
        self.momentum = momentum
        self.value = torch.zeros(())

    def update(self, x):
        self.value = self.momentum * self.value + (1 - self.momentum) * x  # <- culprit
