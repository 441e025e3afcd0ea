from torch import nn
from .registry import register, build
from . import neurons  # noqa: F401  (registers)


class Block(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.conv = nn.Conv2d(i, o, 3, stride=2, padding=1)
        self.node = build("lif", tau=2.0)

    def forward(self, x):
        return self.node(self.conv(x))


@register("dvs_net")
class DVSNet(nn.Module):
    def __init__(self, channels=8, classes=5):
        super().__init__()
        self.stem = Block(2, channels)
        self.fc = nn.Linear(channels * 64, classes)
        self.out = build("lif", tau=1.5)

    def forward(self, frames):                       # T,B,2,16,16
        return sum(self.out(self.fc(self.stem(f).flatten(1))) for f in frames) / len(frames)


def reset_net(net):
    for m in net.children():  # <- culprit
        if hasattr(m, "reset"):
            m.reset()
