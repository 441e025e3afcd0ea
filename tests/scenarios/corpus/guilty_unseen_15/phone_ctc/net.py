from torch import nn


class PhoneNet(nn.Module):
    """Conv front end, gated conv mixing, linear output."""

    def __init__(self, n_feats, n_out, width=32):
        super().__init__()
        self.front = nn.Conv1d(n_feats, width, 5, padding=2)
        self.mix = nn.Sequential(
            nn.Conv1d(width, 2 * width, 5, padding=2),
            nn.GLU(dim=1),
            nn.Conv1d(width, width, 3, padding=1),
            nn.ReLU(),
        )
        self.out = nn.Linear(width, n_out)

    def forward(self, feats):
        x = self.front(feats.transpose(1, 2)).relu()
        x = x + self.mix(x)
        return self.out(x.transpose(1, 2))
