import torch
from torch import Tensor, nn


class SageConv(nn.Module):
    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.own = nn.Linear(inputs, outputs)
        self.neighbours = nn.Linear(inputs, outputs, bias=False)

    def forward(self, x: Tensor, adjacency: Tensor) -> Tensor:
        return self.own(x) + self.neighbours(adjacency @ x)


class SageNet(nn.Module):
    def __init__(self, inputs: int, hidden: int, classes: int) -> None:
        super().__init__()
        self.conv1 = SageConv(inputs, hidden)
        self.conv2 = SageConv(hidden, hidden)
        self.drop = nn.Dropout(0.3)
        self.readout = nn.Linear(hidden, classes)

    def forward(self, x: Tensor, adjacency: Tensor) -> Tensor:
        h = torch.relu(self.conv1(x, adjacency))
        h = self.drop(h)
        h = torch.relu(self.conv2(h, adjacency))
        return self.readout(h)
