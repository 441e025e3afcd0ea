import torch
import torch.nn as nn


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, rank: int, scale: float = 2.0):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(rank, base.in_features) / base.in_features ** 0.5)
        self.B = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scale = scale

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.A.t()) @ self.B.t()


def add_lora(net: nn.Sequential, rank: int) -> nn.Sequential:
    return nn.Sequential(*(LoRALinear(m, rank) if isinstance(m, nn.Linear) else m for m in net))


def lora_parameters(net):
    return [p for p in net.parameters() if p.requires_grad]
