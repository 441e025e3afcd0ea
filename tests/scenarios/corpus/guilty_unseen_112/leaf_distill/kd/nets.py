from torch import nn


class Residual(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.a, self.b = nn.Conv2d(c, c, 3, padding=1), nn.Conv2d(c, c, 3, padding=1)
        self.na, self.nb = nn.GroupNorm(4, c), nn.GroupNorm(4, c)
        self.act = nn.ReLU()

    def forward(self, x):
        h = self.act(self.na(self.a(x)))
        return self.act(x + self.nb(self.b(h)))


def make_teacher(classes, width=16, depth=4):
    net = nn.Sequential(
        nn.Conv2d(3, width, 3, stride=2, padding=1), nn.ReLU(),
        *[Residual(width) for _ in range(depth)],
        nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(4 * width, classes),
    )
    nn.init.normal_(net[-1].weight, std=0.8)
    return net.eval()


def make_student(classes):
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.ReLU(),
        nn.Conv2d(8, 12, 3, stride=2, padding=1), nn.ReLU(),
        nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(48, classes),
    )
