import torch.nn as nn


class Block(nn.Module):
    def __init__(self, c_in, c_out):
        super().__init__()
        self.conv = nn.Conv1d(c_in, c_out, 5, stride=2, padding=2)
        self.bn = nn.BatchNorm1d(c_out)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))


class BeatNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.block1 = Block(1, 8)
        self.block2 = Block(8, 16)
        self.head = nn.Linear(16, n_classes)

    def forward(self, x):
        h = self.block2(self.block1(x))
        return self.head(h.mean(dim=-1))
