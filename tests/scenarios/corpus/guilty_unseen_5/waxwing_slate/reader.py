import torch
from torch import nn
import torch.nn.functional as F

from slate import Slate


class Reader(nn.Module):
    """Predicts each next character from what the slate answers to the present one."""

    def __init__(self, vocab, keys=16, values=24):
        super().__init__()
        self.key = nn.Embedding(vocab, keys)
        self.query = nn.Embedding(vocab, keys)
        self.value = nn.Embedding(vocab, values)
        self.head = nn.Sequential(nn.LayerNorm(values), nn.Linear(values, 48), nn.GELU(), nn.Linear(48, vocab))
        self.slate = Slate(keys, values)

    def forward(self, here, after):
        self.slate.write(self.key(here), self.value(after))
        return self.head(self.slate.read(self.query(here)))

    def loss(self, span):
        here, after = span[:-1], span[1:]
        return F.cross_entropy(self(here, after), after)


class Scribe:
    def __init__(self, reader, lr):
        self.reader = reader
        self.opt = torch.optim.Adam(reader.parameters(), lr=lr)

    def begin_document(self):
        self.reader.slate.wipe(self.reader.key.embedding_dim, self.reader.value.embedding_dim)

    def learn(self, span):
        self.opt.zero_grad(set_to_none=True)
        nats = self.reader.loss(span)
        nats.backward(retain_graph=True)   # the slate lives on through the document
        self.opt.step()
        return nats.item()
