from torch import nn


class SharedTrunk(nn.Module):
    def __init__(self, d_in, d_hid, n_tasks):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d_in, d_hid), nn.ReLU(), nn.Linear(d_hid, d_hid), nn.ReLU())
        self.heads = nn.ModuleList(nn.Linear(d_hid, 1) for _ in range(n_tasks))

    def forward(self, x):
        z = self.trunk(x)
        return [h(z).squeeze(-1) for h in self.heads]
