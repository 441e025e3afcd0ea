# gradwatch-corpus: kind=none
import argparse

import torch
import torch.nn.functional as F

from .net import GCN, Ema


def communities(n=60, k=3, dim=10):
    y = torch.arange(n) % k
    p = torch.where(y[:, None] == y[None], 0.3, 0.04)
    up = torch.triu(torch.rand(n, n) < p, 1)
    x = torch.randn(n, dim)
    x[:, :k] += F.one_hot(y, k)
    return x, (up | up.T).float(), y, torch.rand(n) < 0.3


def js(a, b):
    m = (0.5 * (a + b)).clamp_min(1e-8).log()
    return 0.5 * (F.kl_div(m, a, reduction="batchmean") + F.kl_div(m, b, reduction="batchmean"))


def main(a):
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)
    x, adj, y, train = communities()
    model = GCN(x.shape[1], 16, 3, adj)
    ema = Ema(model, 0.97)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=5e-4)
    curve = []
    for epoch in range(a.epochs):
        model.train()
        one, two = model(x), model(x)
        loss = F.cross_entropy(one[train], y[train]) + a.cons * js(one.softmax(-1), two.softmax(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.absorb(model)
        curve.append(loss.item())
        if epoch % 30 == 0:
            model.eval()
            with torch.no_grad():
                own = (model(x).argmax(-1) == y)[~train].float().mean().item()
                out = torch.func.functional_call(model, ema.shadow, (x,))
                avg = (out.argmax(-1) == y)[~train].float().mean().item()
            print(epoch, round(curve[-1], 4), own, avg)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=150)
    ap.add_argument("--cons", type=float, default=0.5)
    ap.add_argument("--seed", type=int, default=0)
    main(ap.parse_args())
