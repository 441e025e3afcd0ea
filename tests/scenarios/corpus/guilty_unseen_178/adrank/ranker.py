from torch import nn


class SharedLinearRanker(nn.Module):
    """One linear layer over signed hashed features, a column per objective."""

    def __init__(self, width):
        super().__init__()
        self.score = nn.Linear(width, 2)
        nn.init.zeros_(self.score.bias)

    def forward(self, features):
        click, dwell = self.score(features).unbind(1)
        return {"click": click, "dwell": dwell}
