import torch
from torch import Tensor, nn


class RainCell(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.channels = channels
        self.gates = nn.Conv2d(channels + 1, 2 * channels, 3, padding=1)
        self.cand = nn.Conv2d(channels + 1, channels, 3, padding=1)
        self.out = nn.Conv2d(channels, 1, 1)

    def forward(self, frame: Tensor, memory: Tensor | None) -> tuple[Tensor, Tensor]:
        if memory is None:
            memory = frame.new_zeros(frame.shape[0], self.channels, *frame.shape[2:])
        z, r = self.gates(torch.cat([frame, memory], 1)).sigmoid().chunk(2, 1)
        fresh = torch.tanh(self.cand(torch.cat([frame, r * memory], 1)))
        memory = (1 - z) * memory + z * fresh
        return frame + self.out(memory), memory
