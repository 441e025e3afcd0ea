from torch import nn


class ConvNet(nn.Module):
    def __init__(self, ch, classes):
        super().__init__()
        self.stage1 = nn.Sequential(nn.Conv2d(3, ch, 3, 2, 1), nn.BatchNorm2d(ch), nn.ReLU())
        self.stage2 = nn.Sequential(nn.Conv2d(ch, ch, 3, 2, 1), nn.BatchNorm2d(ch), nn.ReLU())
        self.fc = nn.Linear(ch * 16, classes)

    def forward(self, x):
        return self.fc(self.stage2(self.stage1(x)).flatten(1))
