import torch.nn as nn


class SiameseNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.cnn1 = nn.Sequential(
            nn.ReflectionPad2d(1),
            nn.Conv2d(1, 4, 3),
            nn.ReLU(inplace=True),
            nn.BatchNorm2d(4),
            nn.ReflectionPad2d(1),
            nn.Conv2d(4, 8, 3, stride=2),
            nn.ReLU(inplace=True),
            nn.BatchNorm2d(8),
        )
        self.fc1 = nn.Sequential(
            nn.Linear(8 * 12 * 16, 64),
            nn.ReLU(inplace=True),
            nn.Linear(64, 8),
        )

    def forward_once(self, x):
        out = self.cnn1(x)
        out = out.view(out.size(0), -1)
        return self.fc1(out)

    def forward(self, input1, input2):
        return self.forward_once(input1), self.forward_once(input2)
