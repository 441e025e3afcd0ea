# gradwatch-corpus: kind=none
"""Infer gene-module activity on an interaction network, cluster by cluster."""
import argparse

import torch

from layers import HistoryGNN


class Network:
    """Random modular interaction graph with noisy expression features."""

    def __init__(self, nodes, modules, n_feat, seed):
        g = torch.Generator().manual_seed(seed)
        self.module = torch.randint(modules, (nodes,), generator=g)
        same = self.module[:, None] == self.module[None, :]
        prob = torch.where(same, 0.15, 0.01)
        adj = torch.rand(nodes, nodes, generator=g) < prob
        self.adj = (adj | adj.T).fill_diagonal_(False)
        centre = torch.randn(modules, n_feat, generator=g)
        self.x = centre[self.module] + 2.0 * torch.randn(nodes, n_feat, generator=g)
        self.nodes = nodes

    def cluster(self, ids):
        """Local edge list of a node set and its one-step halo."""
        halo = self.adj[ids].any(0)
        halo[ids] = False
        halo = halo.nonzero().flatten()
        both = torch.cat([ids, halo])
        src, dst = self.adj[both][:, both].nonzero(as_tuple=True)
        return halo, src, dst


def train(net, model, args):
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    g = torch.Generator().manual_seed(0)
    confusion = torch.zeros(args.modules, args.modules)
    step = 0
    for epoch in range(args.epochs):
        confusion.zero_()
        for ids in torch.randperm(net.nodes, generator=g).chunk(args.clusters):
            halo, src, dst = net.cluster(ids)
            out = model(net.x, ids, halo, src, dst)
            loss = torch.nn.functional.cross_entropy(out, net.module[ids])
            smooth = sum((a - b).square().mean() for a, b in zip(model.trail, model.trail[1:]))
            opt.zero_grad()
            loss.backward(retain_graph=True)
            (args.smooth * smooth).backward()
            opt.step()
            confusion.index_put_((net.module[ids], out.argmax(1)), torch.ones(len(ids)),
                                 accumulate=True)
            step += 1
        if epoch % 5 == 0:
            acc = (confusion.diagonal().sum() / confusion.sum()).item()
            age = model.histories[0].age.float().mean().item()
            print(f"epoch {epoch:3d}  step {step:4d}  loss {loss.item():.4f}  acc {acc:.3f}  age {age:.2f}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=35)
    ap.add_argument("--clusters", type=int, default=6)
    ap.add_argument("--nodes", type=int, default=240)
    ap.add_argument("--modules", type=int, default=4)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--smooth", type=float, default=0.05)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    net = Network(args.nodes, args.modules, 12, seed=3)
    train(net, HistoryGNN(net.nodes, 12, 24, args.modules), args)


if __name__ == "__main__":
    main()
