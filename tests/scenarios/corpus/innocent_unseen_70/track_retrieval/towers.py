from torch import nn


class TwoTower(nn.Module):
    def __init__(self, users, tracks, dim):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.track = nn.Embedding(tracks, dim)
        for table in (self.user, self.track):
            nn.init.normal_(table.weight, std=0.1)

    def forward(self, users, tracks):
        return self.user(users), self.track(tracks)
