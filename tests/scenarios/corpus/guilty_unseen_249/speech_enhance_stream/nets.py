import torch
from torch import nn
from torch.nn import functional as F


class MasterLinear(nn.Module):
    """fp32 master weights, bf16 arithmetic."""

    def __init__(self, fan_in, fan_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(fan_out, fan_in))
        self.bias = nn.Parameter(torch.zeros(fan_out))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x):
        w = self.weight.to(torch.bfloat16)
        b = self.bias.to(torch.bfloat16)
        return F.linear(x.to(torch.bfloat16), w, b)


class GatedCell(nn.Module):
    def __init__(self, fan_in, width):
        super().__init__()
        self.gate = MasterLinear(fan_in + width, width)
        self.cand = MasterLinear(fan_in + width, width)

    def forward(self, x, h):
        joint = torch.cat([x, h], dim=-1)
        z = torch.sigmoid(self.gate(joint).float())
        n = torch.tanh(self.cand(joint).float())
        return (1 - z) * h + z * n


class MaskEstimator(nn.Module):
    def __init__(self, bins, width):
        super().__init__()
        self.front = MasterLinear(bins, width)
        self.cell = GatedCell(width, width)
        self.head = MasterLinear(width, bins)
        self.width = width

    def initial(self, batch):
        return torch.zeros(batch, self.width)

    def forward(self, frames, h):
        masks = []
        for t in range(frames.size(1)):
            x = F.relu(self.front(frames[:, t])).float()
            h = self.cell(x, h)
            mask = torch.sigmoid(self.head(h).float())
            masks.append(mask)
        return torch.stack(masks, dim=1), h
