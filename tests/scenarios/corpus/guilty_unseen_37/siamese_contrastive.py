# gradwatch-corpus: kind=retain-needless
# first-bad: 0
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class SiameseNet(nn.Module):
    def __init__(self, dim_in, dim_emb):
        super().__init__()
        self.tower = nn.Sequential(
            nn.Linear(dim_in, 64),
            nn.BatchNorm1d(64),
            nn.PReLU(),
            nn.Linear(64, dim_emb),
        )

    def forward(self, a, b):
        return self.tower(a), self.tower(b)


class ContrastiveLoss(nn.Module):
    def __init__(self, margin=1.0):
        super().__init__()
        self.margin = margin

    def forward(self, e1, e2, same):
        d = F.pairwise_distance(e1, e2)
        pos = same * d.pow(2)
        neg = (1 - same) * F.relu(self.margin - d).pow(2)
        return 0.5 * (pos + neg).mean()


def pairs(n, dim, gen):
    prototypes = torch.randn(6, dim, generator=torch.Generator().manual_seed(55))
    ca = torch.randint(0, 6, (n,), generator=gen)
    same = (torch.rand(n, generator=gen) < 0.5).float()
    other = (ca + torch.randint(1, 6, (n,), generator=gen)) % 6
    cb = torch.where(same.bool(), ca, other)
    noise = lambda: 0.6 * torch.randn(n, dim, generator=gen)
    return prototypes[ca] + noise(), prototypes[cb] + noise(), same


def evaluate(net, gen, dim):
    net.eval()
    with torch.no_grad():
        a, b, same = pairs(400, dim, gen)
        e1, e2 = net(a, b)
        guess = (F.pairwise_distance(e1, e2) < 0.5).float()
    net.train()
    return (guess == same).float().mean().item()


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--dim", type=int, default=20)
    ap.add_argument("--emb", type=int, default=8)
    ap.add_argument("--iters", type=int, default=120)
    ap.add_argument("--bs", type=int, default=32)
    args = ap.parse_args(argv)

    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(0)
    net, crit = SiameseNet(args.dim, args.emb), ContrastiveLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=20)
    for it in range(args.iters):
        a, b, same = pairs(args.bs, args.dim, gen)
        e1, e2 = net(a, b)
        loss = crit(e1, e2, same)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        scheduler.step(loss.item())
        if it % 30 == 0:
            print(f"iter {it} loss {loss.item():.4f} pair acc {evaluate(net, gen, args.dim):.3f}")


if __name__ == "__main__":
    main([])
