import torch
from torch.func import functional_call


class WeightAverage:
    """Exponential moving average of the weights, evaluated with the student's own module.

    Keeping a dict and not a second module saves us from copying buffers around.
    """

    def __init__(self, module, decay):
        self.module = module
        self.decay = decay
        self.num_updates = 0
        self.shadow = {k: p.detach().clone() for k, p in module.named_parameters()}

    def update(self, module):
        # the usual bias-aware decay of tf.train.ExponentialMovingAverage
        d = min(self.decay, (1 + self.num_updates) / (10 + self.num_updates))
        self.num_updates += 1
        for name, p in module.named_parameters():
            self.shadow[name] = torch.lerp(self.shadow[name], p, 1.0 - d)  # <- culprit

    def __call__(self, x):
        return functional_call(self.module, self.shadow, (x,))  # <- culprit
