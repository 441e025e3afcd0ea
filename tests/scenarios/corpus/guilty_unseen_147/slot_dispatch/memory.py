import torch
from torch import nn


class SlotMemory(nn.Module):
    def __init__(self, n_slots: int, width: int) -> None:
        super().__init__()
        self.seed = nn.Parameter(0.1 * torch.randn(n_slots, width))
        self.slots: torch.Tensor | None = None

    def open(self, batch: int) -> None:
        self.slots = self.seed.unsqueeze(0).repeat(batch, 1, 1)

    def read(self, query: torch.Tensor) -> torch.Tensor:
        att = torch.softmax(torch.einsum("bd,bsd->bs", query, self.slots), dim=-1)
        return torch.einsum("bs,bsd->bd", att, self.slots)

    def write(self, position: int, value: torch.Tensor) -> None:
        self.slots[:, position % self.slots.shape[1]] = value  # <- culprit
