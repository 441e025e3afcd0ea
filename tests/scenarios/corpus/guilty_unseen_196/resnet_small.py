# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""ResNet for small grayscale images."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(17)


def conv3x3(in_planes, out_planes, stride=1):
    return nn.Conv2d(in_planes, out_planes, kernel_size=3, stride=stride, padding=1, bias=False)


class BasicBlock(nn.Module):
    def __init__(self, inplanes, planes, stride=1):
        super().__init__()
        self.conv1 = conv3x3(inplanes, planes, stride)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = conv3x3(planes, planes)
        self.bn2 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU()
        self.downsample = None
        if stride != 1 or inplanes != planes:
            self.downsample = nn.Sequential(
                nn.Conv2d(inplanes, planes, 1, stride=stride, bias=False),
                nn.BatchNorm2d(planes),
            )

    def forward(self, x):
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity  # <- culprit
        return out


class ResNet(nn.Module):
    def __init__(self, num_classes=5):
        super().__init__()
        self.stem = nn.Sequential(conv3x3(1, 8), nn.BatchNorm2d(8), nn.ReLU())
        self.layer1 = BasicBlock(8, 8)
        self.layer2 = BasicBlock(8, 16, stride=2)
        self.fc = nn.Linear(16, num_classes)

    def forward(self, x):
        x = self.layer2(self.layer1(self.stem(x)))
        x = F.adaptive_avg_pool2d(x, 1).flatten(1)
        return self.fc(x)


def get_batch(patterns, batch_size=16):
    y = torch.randint(0, len(patterns), (batch_size,))
    x = patterns[y] + 0.5 * torch.randn(batch_size, 1, 12, 12)
    return x, y


def main():
    patterns = torch.randn(5, 1, 12, 12)
    model = ResNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=420)
    correct = seen = 0
    for step in range(420):
        model.train()
        x, y = get_batch(patterns)
        logits = model(x)
        loss = F.cross_entropy(logits, y, label_smoothing=0.1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        correct += (logits.argmax(1) == y).sum().item()
        seen += y.numel()
        if (step + 1) % 60 == 0:
            print(f"step {step + 1} loss {loss.item():.3f} acc {correct / seen:.3f}")
            correct = seen = 0


if __name__ == "__main__":
    main()
