# gradwatch-corpus: kind=none
"""Sentiment along documents: a leaky summary runs through the document, credit goes back to its first sentence."""
from dataclasses import dataclass
from typing import Optional

import torch
from torch import nn

torch.manual_seed(25)
torch.set_num_threads(1)


@dataclass
class DocState:
    summary: Optional[torch.Tensor] = None
    sentences: int = 0

    def absorb(self, code, keep=0.85):
        self.summary = code if self.summary is None else torch.lerp(code, self.summary, keep)
        self.sentences += 1
        return self.summary


class Reader(nn.Module):
    def __init__(self, vocab=60, width=16):
        super().__init__()
        self.words = nn.EmbeddingBag(vocab, width, mode="mean")
        self.tone = nn.Linear(width, 1)

    def forward(self, sentence, state):
        code = self.words(sentence[None])
        return self.tone(state.absorb(code)).squeeze()


def document(n_sentences):
    mood = torch.randn(()).sign()
    for _ in range(n_sentences):
        length = int(torch.randint(3, 9, (1,)))
        low = 0 if mood > 0 else 20
        yield torch.randint(low, low + 40, (length,)), (mood > 0).float()


def read_document(reader, opt, n_sentences):
    state = DocState()
    total = 0.0
    for sentence, mood in document(n_sentences):
        loss = nn.functional.binary_cross_entropy_with_logits(reader(sentence, state), mood)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        total += loss.item()
    return total / state.sentences


reader = Reader()
opt = torch.optim.Adagrad(reader.parameters(), lr=0.05)
history = [read_document(reader, opt, 25) for _ in range(10)]
print([round(h, 3) for h in history])
