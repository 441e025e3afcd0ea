import torch.nn as nn


class ConvTagger(nn.Module):
    def __init__(self, widths, classes=4):
        super().__init__()
        self.widths = widths
        self.block1 = nn.Sequential(nn.Conv1d(1, widths[0], 9, padding=4), nn.BatchNorm1d(widths[0]), nn.ReLU(), nn.MaxPool1d(2))
        self.block2 = nn.Sequential(nn.Conv1d(widths[0], widths[1], 5, padding=2), nn.BatchNorm1d(widths[1]), nn.ReLU(), nn.MaxPool1d(2))
        self.fc = nn.Linear(widths[1], classes)

    def forward(self, x):
        return self.fc(self.block2(self.block1(x)).mean(-1))
