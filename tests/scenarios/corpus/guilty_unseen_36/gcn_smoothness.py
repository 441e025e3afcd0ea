# gradwatch-corpus: kind=graph-held
# holder: trace | trace["convs.0"] | bag
# first-bad: 1
"""Node classification with a small GCN; tracks how alike node features get per layer."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


def sbm(n_per, k, p_in=0.12, p_out=0.01, seed=0):
    g = torch.Generator().manual_seed(seed)
    y = torch.arange(k).repeat_interleave(n_per)
    prob = torch.where(y[:, None] == y[None], p_in, p_out)
    upper = torch.triu(torch.rand(len(y), len(y), generator=g) < prob, 1).float()
    adj = upper + upper.t() + torch.eye(len(y))
    d = adj.sum(1).rsqrt()
    x = F.one_hot(y, k).float() + 1.2 * torch.randn(len(y), k, generator=g)
    return adj * d[:, None] * d[None], x, y


class GraphConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin = nn.Linear(i, o)

    def forward(self, a, x):
        return a @ self.lin(x)


class GCN(nn.Module):
    def __init__(self, f, hidden, classes, depth):
        super().__init__()
        dims = [f] + [hidden] * (depth - 1) + [classes]
        self.convs = nn.ModuleList(GraphConv(i, o) for i, o in zip(dims, dims[1:]))

    def forward(self, a, x):
        *inner, last = self.convs
        for conv in inner:
            x = F.relu(conv(a, x))
        return last(a, x)


def watch_layers(model):
    trace = {}

    def hook_for(name):
        bag = trace.setdefault(name, [])

        def hook(module, args, output):
            unit = F.normalize(output, dim=1)
            bag.append(unit.mean(0).norm())  # <- culprit
        return hook

    handles = [m.register_forward_hook(hook_for(n))
               for n, m in model.named_modules() if isinstance(m, GraphConv)]
    return trace, handles


def main():
    torch.manual_seed(0)
    a, x, y = sbm(40, 4)
    train_mask = torch.rand(len(y)) < 0.3
    model = GCN(x.shape[1], 16, 4, depth=3)
    trace, handles = watch_layers(model)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=5e-4)
    for epoch in range(120):
        opt.zero_grad()
        out = model(a, x)
        F.cross_entropy(out[train_mask], y[train_mask]).backward()
        opt.step()
        if (acc := (out.argmax(1) == y)[~train_mask].float().mean().item()) and epoch % 30 == 0:
            alike = {k: f"{v[-1].item():.2f}" for k, v in trace.items()}
            print(f"epoch {epoch} test acc {acc:.3f} alignment {alike}")
    for h in handles:
        h.remove()


if __name__ == "__main__":
    main()
