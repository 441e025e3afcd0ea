# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
# Squeeze-and-excitation block written to save memory
import torch
from torch import nn


class SEGate(nn.Module):
    def __init__(self, ch, r=4, floor=0.1):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(ch, ch // r), nn.ReLU(inplace=True), nn.Linear(ch // r, ch))
        self.floor = floor

    def forward(self, x):
        w = torch.sigmoid(self.fc(x.mean((2, 3))))
        w *= 1 - self.floor  # <- culprit
        w += self.floor  # <- culprit
        return x * w[:, :, None, None]


def conv_block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(inplace=True), SEGate(o))


net = None


def train():
    global net
    torch.manual_seed(0)
    net = nn.Sequential(conv_block(3, 16), nn.MaxPool2d(2), conv_block(16, 16), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for it in range(100):
        x, y = torch.randn(16, 3, 12, 12), torch.randint(0, 10, (16,))
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(it, loss.item())


train()
