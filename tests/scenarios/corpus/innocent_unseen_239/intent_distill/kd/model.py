from torch import nn


class IntentNet(nn.Module):
    def __init__(self, vocab, dim, intents):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, intents))

    def forward(self, tokens):
        return self.head(self.norm(self.emb(tokens)))
