import torch.nn as nn
import torch.nn.functional as F


def teacher():
    return nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Conv2d(16, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
                         nn.Flatten(), nn.Linear(16, 5)).eval()


def student():
    return nn.Sequential(nn.Conv2d(3, 6, 3, stride=2), nn.Hardswish(), nn.Flatten(), nn.Linear(54, 5))


def kd_losses(s, t, temp=2.0):
    kl = F.kl_div((s / temp).log_softmax(1), (t / temp).softmax(1), reduction="batchmean") * temp ** 2
    return {"kl": kl, "mse": 0.1 * F.mse_loss(s, t)}
