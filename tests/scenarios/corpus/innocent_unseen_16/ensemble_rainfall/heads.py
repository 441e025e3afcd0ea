from torch import nn


class TrunkEnsemble(nn.Module):
    def __init__(self, inputs, width, members):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.heads = nn.ModuleList(
            nn.Sequential(nn.Linear(width, 16), nn.ReLU(), nn.Linear(16, 1)) for _ in range(members))

    def forward(self, x):
        z = self.trunk(x)
        return [head(z).squeeze(-1) for head in self.heads]
