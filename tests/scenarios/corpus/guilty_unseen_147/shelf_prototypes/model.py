from torch import nn

from anchors import ClassAnchors


class ShelfEncoder(nn.Module):
    def __init__(self, classes, dim):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, stride=2)
        self.fc = nn.Linear(4 * 9, dim)
        self.anchors = ClassAnchors(classes, dim)

    def forward(self, img):
        z = self.fc(self.conv(img).relu().flatten(1))
        if self.training:
            self.anchors.refresh()
        return self.anchors.logits(z)
