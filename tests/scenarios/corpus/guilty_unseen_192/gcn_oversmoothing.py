# gradwatch-corpus: kind=graph-held
# holder: self.captured[name] | probe.captured[name] | probe.captured
# first-bad: 1
"""Measure over-smoothing (Dirichlet energy per layer) while training a GCN."""
import functools
from collections import OrderedDict

import torch
from torch import nn
import torch.nn.functional as F


def sbm_graph(n=120, blocks=3, p_in=0.15, p_out=0.02, seed=1):
    gen = torch.Generator().manual_seed(seed)
    y = torch.arange(n) % blocks
    prob = torch.where(y[:, None] == y[None], p_in, p_out)
    upper = torch.triu((torch.rand(n, n, generator=gen) < prob).float(), 1)
    adj = upper + upper.T + torch.eye(n)
    d = adj.sum(1).rsqrt()
    x = F.one_hot(y, blocks).float() + 1.5 * torch.randn(n, blocks, generator=gen)
    return d[:, None] * adj * d[None], torch.cat([x, torch.randn(n, 5, generator=gen)], 1), y


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out)

    def forward(self, x, adj):
        return adj @ self.lin(x)


class GCN(nn.Module):
    def __init__(self, dims, dropout=0.2):
        super().__init__()
        self.convs = nn.ModuleList(GraphConv(a, b) for a, b in zip(dims, dims[1:]))
        self.dropout = dropout

    def forward(self, x, adj):
        *hidden, last = self.convs
        for conv in hidden:
            x = F.dropout(F.relu(conv(x, adj)), self.dropout, self.training)
        return last(x, adj)


class SmoothnessProbe:
    def __init__(self, model, adj, layer_type=GraphConv):
        self.lap = torch.eye(len(adj)) - adj
        self.captured = OrderedDict()
        self.handles = []
        for name, module in model.named_modules():
            if isinstance(module, layer_type):
                self.captured[name] = []
                self.handles.append(module.register_forward_hook(functools.partial(self._hook, name)))

    def _hook(self, name, module, inputs, output):
        energy = torch.einsum("nd,nm,md->", output, self.lap, output) / output.pow(2).sum()
        self.captured[name].append(energy)  # <- culprit

    def report(self, last=10):
        return {name: round(sum(map(float, vals[-last:])) / last, 4) for name, vals in self.captured.items()}

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        for h in self.handles:
            h.remove()


def main(epochs=420):
    torch.manual_seed(0)
    adj, x, y = sbm_graph()
    train_mask = torch.rand(len(y)) < 0.3
    model = GCN([x.shape[1], 32, 32, 32, int(y.max()) + 1])
    opt = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=1e-3)
    with SmoothnessProbe(model, adj) as probe:
        for epoch in range(1, epochs + 1):
            model.train()
            logits = model(x, adj)
            loss = F.cross_entropy(logits[train_mask], y[train_mask])
            opt.zero_grad()
            loss.backward()
            opt.step()
            acc = (logits.argmax(1) == y)[~train_mask].float().mean().item()
            if epoch % 60 == 0:
                print(epoch, f"{loss.item():.3f} {acc:.3f}", probe.report())


if __name__ == "__main__":
    main()
