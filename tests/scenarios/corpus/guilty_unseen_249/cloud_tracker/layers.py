import torch
from torch import nn
from torch.nn import functional as F


class MaskedLinear(nn.Module):
    def __init__(self, fan_in, fan_out, density):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(fan_out, fan_in) / fan_in ** 0.5)
        self.bias = nn.Parameter(torch.zeros(fan_out))
        mask = (torch.rand(fan_out, fan_in) < density).float()
        self.register_buffer("mask", mask)

    def forward(self, x):
        return F.linear(x, self.weight * self.mask, self.bias)


class PoseNet(nn.Module):
    """Point features are pooled; the result refines the pose given as a prior."""

    def __init__(self, hidden, density):
        super().__init__()
        self.lift = MaskedLinear(3, hidden, 1.0)
        self.mix = MaskedLinear(hidden, hidden, density)
        self.refine_a = MaskedLinear(hidden + 4, hidden, density)
        self.refine_b = MaskedLinear(hidden, 4, 1.0)

    def forward(self, cloud, prior):
        anchored = cloud - prior[:, None, :3]
        feats = F.silu(self.lift(anchored))
        feats = F.silu(self.mix(feats))
        pooled = feats.amax(dim=1)
        joint = torch.cat([pooled, prior], dim=-1)
        delta = self.refine_b(torch.tanh(self.refine_a(joint)))
        return prior + 0.5 * torch.tanh(delta)
