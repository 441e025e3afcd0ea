from torch import nn


class BagClassifier(nn.Module):
    def __init__(self, vocab, topics, dim=16):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.head = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 24), nn.GELU(), nn.Linear(24, topics))

    def forward(self, words):
        return self.head(self.bag(words))
