import torch.nn as nn


def conv_block(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, kernel_size=3, padding=1, bias=False),
        nn.BatchNorm2d(cout),
        nn.LeakyReLU(0.1),
        nn.MaxPool2d(2),
    )


class LeafNet(nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        self.layer1 = conv_block(3, 8)
        self.layer2 = conv_block(8, 16)
        self.layer3 = conv_block(16, 24)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.dropout = nn.Dropout(0.2)
        self.fc = nn.Linear(24, num_classes)

    def forward(self, x):
        x = self.layer1(x)
        x = self.layer2(x)
        x = self.layer3(x)
        x = self.pool(x).flatten(1)
        return self.fc(self.dropout(x))
