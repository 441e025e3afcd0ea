# gradwatch-corpus: kind=graph-held
# holder: probe.store | self.store | probe.store["conv1"] | probe.store["conv2"]
# first-bad: 1
# notice: 8
"""Two-layer GCN with layer statistics collected through forward hooks."""
from collections import defaultdict

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(7)


def random_graph(n=60, k=3, p_in=0.2, p_out=0.02):
    labels = torch.arange(n) % k
    same = labels[:, None] == labels[None, :]
    adj = (torch.rand(n, n) < torch.where(same, p_in, p_out)).float()
    adj = ((adj + adj.t() + torch.eye(n)) > 0).float()
    d = adj.sum(1).rsqrt()
    feats = torch.randn(n, 10) + F.one_hot(labels, 10).float()
    return feats, d[:, None] * adj * d[None, :], labels


class GraphConv(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.lin = nn.Linear(a, b, bias=False)

    def forward(self, x, adj):
        return adj @ self.lin(x)


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = GraphConv(10, 16)
        self.conv2 = GraphConv(16, 3)

    def forward(self, x, adj):
        return self.conv2(F.dropout(self.conv1(x, adj).relu(), 0.3, self.training), adj)


class Probe:
    def __init__(self, net):
        self.store = defaultdict(list)
        for name, mod in net.named_children():
            mod.register_forward_hook(self._tap(name))

    def _tap(self, name):
        def hook(mod, args, out):
            self.store[name].append(out.norm(dim=1).mean())  # <- culprit
        return hook

    def report(self):
        return {k: f"{torch.stack(v[-10:]).detach().mean():.3f}" for k, v in self.store.items()}


feats, adj, labels = random_graph()
train_mask = torch.rand(len(labels)) < 0.4
net = GCN()
probe = Probe(net)
opt = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=5e-4)
for epoch in range(1, 301):
    net.train()
    opt.zero_grad()
    out = net(feats, adj)
    F.cross_entropy(out[train_mask], labels[train_mask]).backward()
    opt.step()
    if epoch % 75 == 0:
        acc = (out.argmax(1) == labels)[~train_mask].float().mean().item()
        print(epoch, f"{acc:.3f}", probe.report())
