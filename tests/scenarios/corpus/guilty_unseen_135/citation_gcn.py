# gradwatch-corpus: kind=graph-held
# holder: norms | self.stats[name] | self.stats | probe.stats[name] | probe.stats
# first-bad: 1
# notice: 8
"""GCN on a synthetic citation graph, trained on random induced subgraphs."""
import torch

torch.set_num_threads(1)
from torch import nn


class GraphConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.w = nn.Parameter(torch.randn(i, o) * (2.0 / (i + o)) ** 0.5)
        self.b = nn.Parameter(torch.zeros(o))

    def forward(self, a, x):
        return a @ (x @ self.w) + self.b


class GCN(nn.Module):
    def __init__(self, feats, hidden, out):
        super().__init__()
        self.conv1, self.conv2 = GraphConv(feats, hidden), GraphConv(hidden, hidden)
        self.readout = nn.Linear(hidden, out)

    def forward(self, a, x):
        h = torch.relu(self.conv1(a, x))
        h = nn.functional.dropout(h, 0.2, self.training)
        return self.readout(h + torch.relu(self.conv2(a, h)))


class LayerProbe:
    """Mean activation norm of chosen layers, printed as a table."""

    def __init__(self, net, kinds):
        self.stats = {}
        self.handles = [self._watch(name, mod) for name, mod in net.named_modules() if isinstance(mod, kinds)]

    def _watch(self, name, mod):
        norms = self.stats.setdefault(name, [])

        def hook(_mod, _args, out):
            norms.append(out.norm(dim=-1).mean())  # <- culprit

        return mod.register_forward_hook(hook)

    def table(self, last=30):
        return {k: round(sum(x.item() for x in v[-last:]) / last, 3) for k, v in self.stats.items()}


def citation_graph(n=90, c=4, f=16):
    y = torch.randint(0, c, (n,))
    same = y[:, None] == y[None]
    p = torch.where(same, 0.15, 0.02)
    adj = torch.bernoulli(p)
    adj = ((adj + adj.t()) > 0).float()
    return adj, torch.randn(c, f)[y] + 1.5 * torch.randn(n, f), y


def normalised(adj):
    adj = adj + torch.eye(len(adj))
    d = adj.sum(1).rsqrt()
    return d[:, None] * adj * d[None]


def main():
    torch.manual_seed(13)
    adj, x, y = citation_graph()
    net = GCN(16, 12, 4)
    probe = LayerProbe(net, (GraphConv,))
    opt = torch.optim.Adam(net.parameters(), lr=5e-3, weight_decay=5e-4)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=40)
    for step in range(1, 241):
        keep = torch.randperm(len(y))[:40]
        logits = net(normalised(adj[keep][:, keep]), x[keep])
        loss = nn.functional.cross_entropy(logits, y[keep])
        opt.zero_grad()
        loss.backward()
        opt.step()
        plateau.step(loss.item())
        if step % 60 == 0:
            acc = (logits.argmax(1) == y[keep]).float().mean().item()
            print(f"step {step} loss {loss.item():.3f} acc {acc:.2f} norms {probe.table()}")


main()
