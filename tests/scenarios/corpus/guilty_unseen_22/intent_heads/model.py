from torch import nn


class Head(nn.Module):
    def __init__(self, name, dim, n_classes):
        super().__init__()
        self.name = name
        self.norm = nn.LayerNorm(dim)
        self.proj = nn.Linear(dim, n_classes)

    def forward(self, z):
        return self.proj(self.norm(z))


class JointModel(nn.Module):
    def __init__(self, vocab, dim, layers):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.encoder = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
        self.heads = [Head(name, dim, n) for name, n in layers.items()]  # <- culprit

    def param_groups(self, lr):
        yield {"params": list(self.parameters()), "lr": lr}
        for head in self.heads:
            yield {"params": list(head.parameters()), "lr": 0.3 * lr, "name": head.name}

    def forward(self, ids):
        z = self.emb(ids)
        z = z + self.encoder(z)
        return {head.name: head(z) for head in self.heads}
