import torch
from torch import nn


class SDFDecoder(nn.Module):
    def __init__(self, latent, width):
        super().__init__()
        self.l1 = nn.Linear(latent + 2, width)
        self.l2 = nn.Linear(width, width)
        self.l3 = nn.Linear(width + latent + 2, width)
        self.out = nn.Linear(width, 1)

    def forward(self, code, xy):
        inp = torch.cat([code[:, None].expand(-1, xy.shape[1], -1), xy], -1)
        h = torch.relu(self.l2(torch.relu(self.l1(inp))))
        h = torch.relu(self.l3(torch.cat([h, inp], -1)))
        return torch.tanh(self.out(h)).squeeze(-1)


def clamp_l1(pred, true, delta=0.3):
    return (pred.clamp(-delta, delta) - true.clamp(-delta, delta)).abs().mean()
