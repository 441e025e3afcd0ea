import torch
from torch import nn


class CharLM(nn.Module):
    def __init__(self, vocab, emb, hidden, layers, dropout):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.LSTM(emb, hidden, layers, batch_first=True, dropout=dropout)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x, state=None):
        y, state = self.rnn(self.emb(x), state)
        return self.out(y), state

    @torch.no_grad()
    def sample(self, prefix, n):
        self.eval()
        ids, state = list(prefix), None
        x = torch.tensor([ids])
        for _ in range(n):
            logits, state = self(x, state)
            nxt = torch.multinomial(logits[0, -1].softmax(0), 1).item()
            ids.append(nxt)
            x = torch.tensor([[nxt]])
        return ids


def repackage(state):
    if state is None:
        return None
    return tuple(s.detach() for s in state)
