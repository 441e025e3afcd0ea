from collections import OrderedDict

from torch import nn


def stage(i, o):
    return nn.Sequential(nn.Conv1d(i, o, 5, stride=2, padding=2), nn.BatchNorm1d(o), nn.ReLU())


def audio_net(w, classes=5):
    return nn.Sequential(OrderedDict(
        stage1=stage(1, w), stage2=stage(w, 2 * w), pool=nn.AdaptiveAvgPool1d(4),
        flat=nn.Flatten(), fc=nn.Linear(8 * w, classes)))
