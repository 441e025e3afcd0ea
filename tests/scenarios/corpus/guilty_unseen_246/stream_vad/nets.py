import torch
from torch import nn

from registry import register


@register("model", "gated_vad")
class GatedVad(nn.Module):
    def __init__(self, n_mels, width):
        super().__init__()
        self.width = width
        self.front = nn.Linear(n_mels, width)
        self.cell = nn.GRUCell(width, width)
        self.speech = nn.Linear(width, 1)

    def blank(self, batch):
        return torch.zeros(batch, self.width)

    def forward(self, chunk, state):
        logits = []
        for frame in chunk.unbind(dim=1):
            feats = torch.relu(self.front(frame))
            state = self.cell(feats, state)
            logits.append(self.speech(state))
        return torch.cat(logits, dim=1), state
