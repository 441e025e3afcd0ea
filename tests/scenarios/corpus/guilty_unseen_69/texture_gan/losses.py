import torch
import torch.nn.functional as F


def hinge_disc(real, fake):
    return F.relu(1 - real).mean() + F.relu(1 + fake).mean()


def hinge_gen(fake):
    return -fake.mean()


class FeatureMatching:
    """Distance between mean features of made images and of the real ones seen last."""

    def __init__(self):
        self.target = None

    def observe_real(self, feats):
        self.target = torch.cat([f.mean(dim=(0, 2, 3)) for f in feats])  # <- culprit

    def __call__(self, feats):
        mine = torch.cat([f.mean(dim=(0, 2, 3)) for f in feats])
        return F.l1_loss(mine, self.target)
