import torch
import torch.nn as nn


class CharLM(nn.Module):
    def __init__(self, vocab, emb, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.GRU(emb, hidden, batch_first=True)
        self.head = nn.Linear(hidden, vocab)


class AdaptedLM(nn.Module):
    """The base LM stays frozen, only a linear adapter between embedding and RNN is trained."""

    def __init__(self, base):
        super().__init__()
        self.base = base.requires_grad_(False)
        emb = base.emb.embedding_dim
        self.adapter = nn.Linear(emb, emb)
        nn.init.eye_(self.adapter.weight)
        nn.init.zeros_(self.adapter.bias)
        self.state = None

    def reset_state(self, batch):
        self.state = torch.zeros(1, batch, self.base.rnn.hidden_size)

    def forward(self, tokens):
        x = self.adapter(self.base.emb(tokens))
        out, new_state = self.base.rnn(x, self.state)
        self.state = new_state  # <- culprit
        return self.base.head(out)
