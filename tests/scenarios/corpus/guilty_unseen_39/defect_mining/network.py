import torch.nn as nn


class PatchNet(nn.Module):
    def __init__(self, n_in, width=48):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(n_in, width), nn.LayerNorm(width), nn.SiLU(), nn.Dropout(0.1),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, 1),
        )

    def forward(self, x):
        return self.layers(x).squeeze(-1)
