import torch
from torch import nn

from gating import TopOneRouter


class ExpertLayer(nn.Module):
    def __init__(self, d, n_experts):
        super().__init__()
        self.router = TopOneRouter(d, n_experts)
        self.w_in = nn.Parameter(torch.randn(n_experts, d, 2 * d) * d ** -0.5)
        self.w_out = nn.Parameter(torch.randn(n_experts, 2 * d, d) * (2 * d) ** -0.5)
        self.ln = nn.LayerNorm(d)

    def forward(self, x):
        flat = self.ln(x).flatten(0, 1)
        gate, pick = self.router(flat)
        y = torch.zeros_like(flat)
        for e in range(self.w_in.size(0)):
            rows = (pick == e).nonzero().squeeze(1)
            if rows.numel():
                out = torch.relu(flat[rows] @ self.w_in[e]) @ self.w_out[e]
                y = y.index_add(0, rows, out * gate[rows, None])
        return x + y.view_as(x)


class SparseLM(nn.Module):
    def __init__(self, vocab, d, n_layers, n_experts):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.mix = nn.ModuleList(nn.GRU(d, d, batch_first=True) for _ in range(n_layers))
        self.layers = nn.ModuleList(ExpertLayer(d, n_experts) for _ in range(n_layers))
        self.head = nn.Linear(d, vocab)

    def forward(self, ids):
        h = self.emb(ids)
        for rnn, layer in zip(self.mix, self.layers):
            h = layer(h + rnn(h)[0])
        return self.head(h)

    def balance_loss(self):
        return torch.stack([layer.router.balance[-1] for layer in self.layers]).sum()
