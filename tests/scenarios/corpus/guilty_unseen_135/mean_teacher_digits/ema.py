import torch
from torch.func import functional_call


class WeightAverage:
    """Exponential moving average of the weights of a model, callable like the model."""

    def __init__(self, model, decay):
        self.model = model
        self.decay = decay
        self.shadow = {name: p.detach().clone() for name, p in model.named_parameters()}

    def update(self):
        for name, p in self.model.named_parameters():
            self.shadow[name] = torch.lerp(self.shadow[name], p, 1 - self.decay)  # <- culprit

    def predict(self, x):
        return functional_call(self.model, self.shadow, (x,))
