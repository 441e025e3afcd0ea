import torch


class Anchor:
    """Slowly moving reference point that the sites' weights are held close to."""

    def __init__(self, net, pull):
        self.pull = pull
        self.point = {name: p.detach().clone() for name, p in net.named_parameters()}

    def distance(self, net):
        return sum((p - self.point[name]).pow(2).sum() for name, p in net.named_parameters())

    def follow(self, net):
        for name, p in net.named_parameters():
            self.point[name] = torch.lerp(self.point[name], p, self.pull)  # <- culprit
