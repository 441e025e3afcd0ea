import torch.nn as nn


class TinyVGG(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([
            nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(inplace=True),
            nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(inplace=True),
            nn.AvgPool2d(2),
            nn.Conv2d(16, 16, 3, padding=1), nn.ReLU(inplace=True),
        ])
