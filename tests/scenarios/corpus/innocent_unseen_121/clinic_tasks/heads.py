import torch
from torch import nn

LABS = ("sodium", "crp", "ferritin", "tsh", "lipase", "urate")


def patients(lab, n):
    k = LABS.index(lab)
    x = torch.randn(n, 9)
    return x, (x[:, k] - 0.5 * x[:, (k + 3) % 9]).sin().unsqueeze(1)


class Trunk(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(9, 20), nn.Mish(), nn.Linear(20, 12), nn.Mish())
        self.heads = nn.ModuleDict({lab: nn.Linear(12, 1) for lab in LABS})

    def forward(self, x, lab):
        return self.heads[lab](self.body(x))
