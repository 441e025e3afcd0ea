import torch
from torch import Tensor, nn


class FlowNet(nn.Module):
    def __init__(self, readings: int, width: int) -> None:
        super().__init__()
        self.recall = nn.Linear(width, width)
        self.sense = nn.Linear(readings, width)
        self.cell = nn.GRUCell(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, memory: Tensor, adjacency: Tensor, rows: Tensor, readings: Tensor) -> tuple[Tensor, Tensor]:
        around = adjacency @ torch.tanh(self.recall(memory))
        seen = torch.tanh(self.sense(readings))
        updated = self.cell(seen, around[rows])
        return self.out(updated).squeeze(-1), updated
