import torch.nn.functional as F


def critic_loss(D, real, fake):
    return F.relu(1 - D(real)).mean() + F.relu(1 + D(fake)).mean()  # <- culprit


def generator_loss(D, fake):
    return -D(fake).mean()
