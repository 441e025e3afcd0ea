# gradwatch-corpus: kind=graph-held
# holder: self.curves | probe.curves | self.curves[name] | probe.curves[name]
# first-bad: 1
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

from probes import SmoothnessProbe


def sbm(n, k, p_in, p_out):
    y = torch.arange(n) % k
    same = y[:, None] == y[None]
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    a = (torch.rand(n, n) < prob).float().triu(1)
    a = a + a.t() + torch.eye(n)
    d = a.sum(1).rsqrt()
    x = F.one_hot(y, k).float() + 1.5 * torch.randn(n, k)
    return d[:, None] * a * d[None], x, y


class GCNLayer(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.lin = nn.Linear(cin, cout)

    def forward(self, x, adj):
        return F.relu(adj @ self.lin(x))


class DeepGCN(nn.Module):
    def __init__(self, cin, hid, cout, depth):
        super().__init__()
        dims = [cin] + [hid] * depth
        self.layers = nn.ModuleList(GCNLayer(a, b) for a, b in zip(dims, dims[1:]))
        self.out = nn.Linear(hid, cout)

    def forward(self, x, adj):
        for layer in self.layers:
            x = layer(x, adj)
        return self.out(x)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--depth", type=int, default=4)
    ap.add_argument("--epochs", type=int, default=100)
    args = ap.parse_args()
    torch.manual_seed(5)
    torch.set_num_threads(1)
    adj, x, y = sbm(120, 4, 0.2, 0.02)
    train = torch.rand(len(y)) < 0.4
    net = DeepGCN(x.size(1), 16, 4, args.depth)
    probe = SmoothnessProbe(adj)
    for i, layer in enumerate(net.layers):
        probe.attach(f"layer{i}", layer)
    opt = torch.optim.Adam(net.parameters(), 5e-3, weight_decay=5e-4)
    for epoch in range(args.epochs):
        net.train()
        opt.zero_grad()
        loss = F.cross_entropy(net(x, adj)[train], y[train])
        loss.backward()
        opt.step()
        if epoch % 20 == 19:
            net.eval()
            with torch.no_grad():
                acc = (net(x, adj).argmax(-1) == y)[~train].float().mean()
            print(epoch, f"{loss.item():.3f}", f"{acc:.3f}", probe.report())
    probe.close()
