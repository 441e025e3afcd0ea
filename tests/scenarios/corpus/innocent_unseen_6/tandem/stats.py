import torch


class Drift:
    """Moving mean of the critic's features on real waves."""

    def __init__(self, width, keep=0.95):
        self.mean, self.keep, self.count = torch.zeros(width), keep, 0

    def see(self, feats):
        self.count += 1
        self.mean = self.keep * self.mean + (1 - self.keep) * feats.detach().mean(0)

    def gap(self, feats):
        fair = self.mean / (1 - self.keep ** self.count)
        return (feats.mean(0) - fair).square().sum()
