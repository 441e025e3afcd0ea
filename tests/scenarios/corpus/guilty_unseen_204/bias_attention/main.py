# gradwatch-corpus: kind=second-backward
# first-bad: 3
import torch
from torch import nn

from layers import BiasedAttention
from data import SequenceSource


class Tagger(nn.Module):
    def __init__(self, vocab, tags, dim=16):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.mix = BiasedAttention(dim)
        self.out = nn.Linear(dim, tags)

    def forward(self, tokens):
        h = self.embed(tokens)
        return self.out(h + self.mix(h))


class TaggerTask:
    def __init__(self, seed):
        torch.manual_seed(seed)
        self.source = SequenceSource(vocab=20, tags=4, seed=seed)
        self.model = Tagger(20, 4)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        self.criterion = nn.CrossEntropyLoss()

    def compute(self, tokens, tags):
        logits = self.model(tokens)
        return self.criterion(logits.flatten(0, 1), tags.flatten())

    def train(self, steps):
        losses = []
        for tokens, tags in self.source.batches(steps):
            loss = self.compute(tokens, tags)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            losses.append(loss.item())
        return losses


if __name__ == "__main__":
    losses = TaggerTask(seed=4).train(400)
    print(losses[0], losses[-1])
