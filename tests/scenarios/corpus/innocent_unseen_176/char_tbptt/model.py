from __future__ import annotations

import torch
import torch.nn as nn

State = tuple[torch.Tensor, torch.Tensor]


class CharLSTM(nn.Module):
    def __init__(self, vocab: int, dim: int = 24, hidden: int = 48):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.LSTM(dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)
        self.state: State | None = None

    def begin_chunk(self) -> None:
        if self.state is not None:
            self.state = tuple(s.detach() for s in self.state)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h, self.state = self.rnn(self.emb(x), self.state)
        return self.out(h)
