# gradwatch-corpus: kind=graph-held
# holder: self.emb | self.history.emb | model.history.emb | history.emb
# first-bad: 1
import argparse
import os
import tempfile

import torch
import torch.nn.functional as F

from .model import HistoricalGCN

torch.set_num_threads(1)


def block_graph(n, k, p_in, p_out, gen):
    y = torch.randint(0, k, (n,), generator=gen)
    p = torch.where(y[:, None] == y[None], torch.tensor(p_in), torch.tensor(p_out))
    a = (torch.rand(n, n, generator=gen) < p).float().triu(1)
    a = a + a.t() + torch.eye(n)
    d = a.sum(1).rsqrt()
    x = torch.randn(n, 8, generator=gen)
    x[torch.arange(n), y] += 0.8
    return x, d[:, None] * a * d[None], y


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--nodes", type=int, default=180)
    ap.add_argument("--epochs", type=int, default=25)
    ap.add_argument("--parts", type=int, default=4)
    ap.add_argument("--hidden", type=int, default=16)
    args = ap.parse_args()
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(6)
    x, adj, y = block_graph(args.nodes, 4, 0.15, 0.02, gen)
    train = torch.rand(args.nodes, generator=gen) < 0.6
    model = HistoricalGCN(args.nodes, 8, args.hidden, 4)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=5e-4)
    best, ckpt = 0.0, os.path.join(tempfile.mkdtemp(), "gcn.pt")
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for part in torch.randperm(args.nodes, generator=gen).chunk(args.parts):
            mask = train[part]
            loss = F.cross_entropy(model(x, adj, part)[mask], y[part][mask])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        model.eval()
        acc = (model.full(x, adj)[~train].argmax(1) == y[~train]).float().mean().item()
        if acc > best:
            best = acc
            torch.save(model.state_dict(), ckpt)
        if epoch % 5 == 0:
            print(f"epoch {epoch} loss {total / args.parts:.4f} acc {acc:.3f} stale {model.history.staleness():.2f}")
    print("best", round(best, 3))


if __name__ == "__main__":
    main()
