from torch import nn


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, stride=2, padding=1), nn.BatchNorm2d(cout), nn.ReLU())


class GradingNet(nn.Module):
    def __init__(self, grades):
        super().__init__()
        self.stem = block(3, 6)
        self.stage1 = block(6, 8)
        self.stage2 = block(8, 10)
        self.classifier = nn.Linear(10, grades)

    def forward(self, img):
        h = self.stage2(self.stage1(self.stem(img)))
        return self.classifier(h.mean(dim=(2, 3)))
