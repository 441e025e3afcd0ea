import torch


class Smoother:
    def __init__(self, rate):
        self.rate = rate
        self.value = None

    def update(self, new):
        if self.value is None:
            self.value = new.clone()  # <- culprit
        else:
            self.value = torch.lerp(self.value, new, self.rate)  # <- culprit
        return self.value
