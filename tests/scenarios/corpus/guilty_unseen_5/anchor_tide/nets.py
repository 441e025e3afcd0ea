from torch import nn


class RiskNet(nn.Module):
    def __init__(self, width_in, hidden):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(width_in, hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
        )
        self.head = nn.Linear(hidden, 1)

    def forward(self, rows):
        return self.head(self.body(rows)).squeeze(-1)
