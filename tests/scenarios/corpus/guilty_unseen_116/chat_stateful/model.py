import torch
from torch import nn


class StatefulMixin:
    """Remembers the recurrent state between segments of one conversation."""

    _state = None

    @property
    def state(self):
        return self._state

    def remember(self, state):
        self._state = state  # <- culprit

    def forget(self):
        self._state = None


class ChatModel(StatefulMixin, nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, vocab)

    def forward(self, tokens):
        hidden, last = self.rnn(self.embed(tokens), self.state)
        self.remember(last)  # <- culprit
        return self.out(hidden)

    @torch.no_grad()
    def greedy(self, token, n):
        state, out = None, []
        cur = torch.tensor([[token]])
        for _ in range(n):
            h, state = self.rnn(self.embed(cur), state)
            cur = self.out(h[:, -1:]).argmax(-1)
            out.append(int(cur))
        return out
