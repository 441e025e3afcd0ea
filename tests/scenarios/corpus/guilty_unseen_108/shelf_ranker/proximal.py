"""Pull of a parameter towards its own exponentially weighted past."""
import torch


class Proximal:
    anchors = {}

    def __init__(self, strength, pace, only):
        self.strength = strength
        self.pace = pace
        self.only = set(only)

    @classmethod
    def follow(cls, name, value, pace):
        if name not in cls.anchors:
            cls.anchors[name] = value.detach().clone()
        else:
            cls.anchors[name] = torch.lerp(cls.anchors[name], value, pace)  # <- culprit
        return cls.anchors[name]

    def __call__(self, net):
        pull = 0.0
        for name, value in net.named_parameters():
            if name not in self.only:
                continue
            anchor = self.follow(name, value, self.pace)  # <- culprit
            pull = pull + (value - anchor).pow(2).sum()
        return self.strength * pull
