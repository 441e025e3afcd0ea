# gradwatch-corpus: kind=none
"""Learning to reweight noisy examples: a one-step look-ahead gives per-example weights by second-order gradients."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.manual_seed(37)


def graph_data(n=240, d=16, classes=3):
    y = torch.randint(0, classes, (n,))
    same = (y[:, None] == y[None]).float()
    adj = (torch.rand(n, n) < 0.02 + 0.08 * same).float()
    adj = ((adj + adj.t()) > 0).float() + torch.eye(n)
    deg = adj.sum(1)
    adj = adj / (deg[:, None] * deg[None]).sqrt()
    x = torch.randn(n, d) + 0.8 * F.one_hot(y, d).float()
    return x, adj, y


class GCN(nn.Module):
    def __init__(self, d, classes, hidden=32):
        super().__init__()
        self.l1 = nn.Linear(d, hidden)
        self.l2 = nn.Linear(hidden, classes)

    def forward(self, x, adj):
        return self.l2(adj @ torch.relu(self.l1(adj @ x)))


class WeightNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 1))

    def forward(self, loss):
        return torch.sigmoid(self.net(loss.unsqueeze(-1))).squeeze(-1)


def lookahead(model, x, adj, idx, y, weight_net, lr):
    params = dict(model.named_parameters())
    logits = functional_call(model, params, (x, adj))
    per = F.cross_entropy(logits[idx], y[idx], reduction="none")
    w = weight_net(per.detach())
    inner = (w * per).sum() / (w.sum() + 1e-6)
    grads = torch.autograd.grad(inner, list(params.values()), create_graph=True)
    return {k: p - lr * g for (k, p), g in zip(params.items(), grads)}


def main():
    x, adj, y = graph_data()
    perm = torch.randperm(len(y))
    train, meta, test = perm[:160], perm[160:190], perm[190:]
    noisy = y.clone()
    flip = train[torch.rand(len(train)) < 0.4]
    noisy[flip] = torch.randint(0, 3, (len(flip),))

    model, weight_net = GCN(16, 3), WeightNet()
    opt = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.9)
    meta_opt = torch.optim.Adam(weight_net.parameters(), lr=5e-3)
    rows = []
    for step in range(100):
        idx = train[torch.randint(0, len(train), (64,))]

        fast = lookahead(model, x, adj, idx, noisy, weight_net, lr=0.3)
        meta_loss = F.cross_entropy(functional_call(model, fast, (x, adj))[meta], y[meta])
        meta_grads = torch.autograd.grad(meta_loss, list(weight_net.parameters()))
        for p, g in zip(weight_net.parameters(), meta_grads):
            p.grad = g
        meta_opt.step()

        per = F.cross_entropy(model(x, adj)[idx], noisy[idx], reduction="none")
        with torch.no_grad():
            w = weight_net(per)
        loss = (w * per).sum() / (w.sum() + 1e-6)
        opt.zero_grad()
        loss.backward()
        opt.step()

        if step % 20 == 0:
            with torch.no_grad():
                acc = (model(x, adj)[test].argmax(-1) == y[test]).float().mean().item()
            rows.append((step, loss.item(), meta_loss.item(), acc))
            print("%d loss %.3f meta %.3f acc %.3f" % rows[-1])


if __name__ == "__main__":
    main()
