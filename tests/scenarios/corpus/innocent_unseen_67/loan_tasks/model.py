from torch import nn


class SharedBody(nn.Module):
    def __init__(self, features, width=28):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(features, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.heads = nn.ModuleDict(
            {"default": nn.Linear(width, 1), "prepay": nn.Linear(width, 1)}
        )
