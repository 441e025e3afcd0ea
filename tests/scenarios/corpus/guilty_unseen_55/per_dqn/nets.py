from torch import nn


class QNet(nn.Module):
    def __init__(self, obs, acts, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.value = nn.Linear(width, 1)
        self.adv = nn.Linear(width, acts)

    def forward(self, s):
        z = self.body(s)
        a = self.adv(z)
        return self.value(z) + a - a.mean(-1, keepdim=True)
