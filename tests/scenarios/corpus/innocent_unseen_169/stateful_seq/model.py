from collections import deque

import torch
from torch import nn


class StatefulLM(nn.Module):
    """GRU whose state lives in the module, with attention over its last few states."""

    def __init__(self, vocab, width, batch, look_back=6):
        super().__init__()
        self.emb, self.cell = nn.Embedding(vocab, width), nn.GRUCell(width, width)
        self.out = nn.Linear(2 * width, vocab)
        self.batch, self.width = batch, width
        self.recent = deque(maxlen=look_back)
        self.carry(fresh=True)

    def carry(self, fresh):
        if fresh:
            self.h = torch.zeros(self.batch, self.width)
            self.recent.clear()
            return
        self.h = self.h.detach()
        kept = [h.detach() for h in self.recent]
        self.recent.clear()
        self.recent.extend(kept)

    def advance(self, ids):
        self.h = self.cell(self.emb(ids), self.h)
        self.recent.append(self.h)
        past = torch.stack(tuple(self.recent), dim=1)
        w = torch.softmax((past @ self.h.unsqueeze(-1)).squeeze(-1) / self.width ** 0.5, dim=1)
        return self.out(torch.cat([self.h, (w.unsqueeze(-1) * past).sum(1)], dim=1))
