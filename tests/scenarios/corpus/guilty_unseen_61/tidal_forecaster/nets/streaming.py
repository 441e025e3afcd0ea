"""Recurrent encoders which continue where the previous chunk ended."""
import torch
from torch import nn


class StreamingLSTM(nn.Module):
    """An LSTM for chunked streams.

    Consecutive calls see consecutive chunks of the same session; `reset` starts a new one.
    Gradients are truncated at the chunk's border.
    """

    def __init__(self, n_inputs: int, hidden: int):
        super().__init__()
        self.lstm = nn.LSTM(n_inputs, hidden, batch_first=True)
        self.hidden = None
        self.cell = None

    def reset(self):
        self.hidden = self.cell = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        start = None if self.hidden is None else (self.hidden, self.cell)  # <- culprit
        out, (h, c) = self.lstm(x, start)
        self.hidden, self.cell = h.detach(), c  # <- culprit
        return out
