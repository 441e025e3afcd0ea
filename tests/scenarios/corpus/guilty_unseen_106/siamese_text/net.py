import torch.nn as nn
import torch.nn.functional as F


class SiameseBag(nn.Module):
    """Both branches share one EmbeddingBag."""

    def __init__(self, vocab, dim):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        nn.init.normal_(self.bag.weight, std=0.5)

    def embed(self, tokens):
        return F.normalize(self.bag(tokens), dim=1)

    def forward(self, a, b):
        return self.embed(a), self.embed(b)
