# gradwatch-corpus: kind=graph-held
# holder: self.records | probe.records | self.records["conv1"] | self.records["conv2"] | probe.records["conv1"] | probe.records["conv2"]
# first-bad: 1
"""Node classification with a hand-written GCN, looking at over-smoothing during training."""
import torch
import torch.nn as nn
import torch.nn.functional as F

N_NODES, N_FEAT, N_CLASS = 240, 16, 4


def sbm_graph(p_in=0.08, p_out=0.01):
    g = torch.Generator().manual_seed(9)
    labels = torch.arange(N_NODES) % N_CLASS
    same = labels[:, None] == labels[None, :]
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    a = (torch.rand(N_NODES, N_NODES, generator=g) < prob).float().triu(1)
    a = a + a.t()
    x = torch.randn(N_NODES, N_FEAT, generator=g)
    x[torch.arange(N_NODES), labels] += 0.7
    return x, a, labels


def normalize_adj(a):
    a = a + torch.eye(len(a))
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None, :]


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out, bias=False)
        self.bias = nn.Parameter(torch.zeros(d_out))

    def forward(self, x, adj):
        return adj @ self.lin(x) + self.bias


class GCN(nn.Module):
    def __init__(self, hidden=32, dropout=0.4):
        super().__init__()
        self.conv1 = GraphConv(N_FEAT, hidden)
        self.conv2 = GraphConv(hidden, hidden)
        self.cls = nn.Linear(hidden, N_CLASS)
        self.dropout = dropout

    def forward(self, x, adj):
        h = F.relu(self.conv1(x, adj))
        h = F.dropout(h, self.dropout, self.training)
        h = F.relu(self.conv2(h, adj))
        return self.cls(h)


class ActivationProbe:
    """Collects the output of chosen layers with forward hooks."""

    def __init__(self, model, layers):
        self.records = {name: [] for name in layers}
        self.handles = []
        modules = dict(model.named_modules())
        for name in layers:
            self.handles.append(modules[name].register_forward_hook(self._make_hook(name)))

    def _make_hook(self, name):
        def hook(module, inputs, output):
            self.records[name].append(output)  # <- culprit
        return hook

    def smoothness(self, name):
        h = F.normalize(self.records[name][-1], dim=-1)
        return (h @ h.t()).mean().item()

    def remove(self):
        for h in self.handles:
            h.remove()


def main():
    torch.manual_seed(0)
    x, a, y = sbm_graph()
    adj = normalize_adj(a)
    perm = torch.randperm(N_NODES)
    train_idx, test_idx = perm[:120], perm[120:]
    model = GCN()
    probe = ActivationProbe(model, ["conv1", "conv2"])
    opt = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=5e-4)

    for epoch in range(1, 91):
        model.train()
        out = model(x, adj)
        loss = F.cross_entropy(out[train_idx], y[train_idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if epoch % 15 == 0:
            model.eval()
            with torch.no_grad():
                acc = (model(x, adj).argmax(1)[test_idx] == y[test_idx]).float().mean().item()
            print(f"Epoch {epoch:03d} loss {loss.item():.3f} test {acc:.3f} "
                  f"sim1 {probe.smoothness('conv1'):.3f} sim2 {probe.smoothness('conv2'):.3f}")
    probe.remove()


if __name__ == "__main__":
    main()
