import torch
from torch import nn
import torch.nn.functional as F


class StatefulLM(nn.Module):
    def __init__(self, vocab, emb, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.LSTM(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)
        self.state = None

    def forget(self):
        self.state = None

    def _carry(self, state):
        self.state = tuple(s.detach() for s in state)

    def forward(self, x):
        h, state = self.rnn(self.emb(x), self.state)
        self._carry(state)
        return self.out(h)

    def loss(self, x, y):
        return F.cross_entropy(self(x).flatten(0, 1), y.flatten())

    @torch.no_grad()
    def improvise(self, prompt, n):
        kept, self.state = self.state, None
        ids = prompt.view(1, -1)
        logits = self(ids)[:, -1]
        out = []
        for _ in range(n):
            nxt = torch.multinomial((logits / 0.8).softmax(-1), 1)
            out.append(nxt.item())
            logits = self(nxt)[:, -1]
        self.state = kept
        return torch.tensor(out)
