import torch
from torch import nn


class CharNet(nn.Module):
    def __init__(self, symbols, width):
        super().__init__()
        self.embed = nn.Embedding(symbols, width)
        self.gates = nn.Linear(2 * width, 2 * width)
        self.out = nn.Linear(width, symbols)
        self.memory = None
        self.age = 0

    def forward(self, symbol):
        e = self.embed(symbol)
        if self.memory is None:
            self.memory = torch.zeros_like(e)
        z, c = self.gates(torch.cat([e, self.memory], 1)).chunk(2, 1)
        z = torch.sigmoid(z)
        self.memory = z * self.memory + (1 - z) * torch.tanh(c)
        self.age += 1
        return self.out(self.memory)

    def settle(self):
        for name, value in vars(self).items():
            if isinstance(value, torch.Tensor) and value.grad_fn is not None:
                setattr(self, name, value.clone().detach())
        self.age = 0
