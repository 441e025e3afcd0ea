from torch import nn


class TicketRouter(nn.Module):
    def __init__(self, vocab, dim, queues):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.norm = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Dropout(0.1), nn.Linear(2 * dim, queues))

    def forward(self, tokens, offsets):
        return self.mlp(self.norm(self.bag(tokens, offsets)))
