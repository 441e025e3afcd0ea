import torch


class DriftPenalty:
    """Keeps the towers close to a slow moving copy of themselves."""

    def __init__(self, model, decay, weight):
        self.model = model
        self.decay = decay
        self.weight = weight
        self.anchors = {}
        for name, param in model.named_parameters():
            self.anchors[name] = param.detach().clone()

    def __call__(self):
        penalty = 0.0
        for name, param in self.model.named_parameters():
            gap = param - self.anchors[name]
            penalty = penalty + gap.pow(2).mean()
        return self.weight * penalty

    def follow(self):
        for name, param in self.model.named_parameters():
            slow = self.anchors[name]
            self.anchors[name] = torch.lerp(slow, param, 1.0 - self.decay)  # <- culprit
