from torch import nn

from .moe import SparseMoE


class TinyMoELM(nn.Module):
    def __init__(self, vocab, d=24, layers=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.mix = nn.Conv1d(d, d, 3, padding=2)
        self.blocks = nn.ModuleList(SparseMoE(d) for _ in range(layers))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, vocab)

    def forward(self, tok):
        x = self.emb(tok)
        x = x + self.mix(x.transpose(1, 2))[..., :tok.size(1)].transpose(1, 2)
        for b in self.blocks:
            x = x + b(x)
        return self.head(self.norm(x))

    def aux_loss(self):
        return sum(b.balance for b in self.blocks)
