# gradwatch-corpus: kind=graph-chain
# holder: self.level | objective.level
# first-bad: 1
import torch

from factor import BiasedMF
from objective import LevelledLoss


def ratings(n_users=120, n_items=90, n=6000, seed=3):
    g = torch.Generator().manual_seed(seed)
    u = torch.randint(0, n_users, (n,), generator=g)
    i = torch.randint(0, n_items, (n,), generator=g)
    pu = torch.randn(n_users, 3, generator=g)
    qi = torch.randn(n_items, 3, generator=g)
    r = 3.0 + (pu[u] * qi[i]).sum(1) + 0.2 * torch.randn(n, generator=g)
    return u, i, r


def run(steps=400, batch=128):
    torch.manual_seed(0)
    u, i, r = ratings()
    model = BiasedMF(120, 90, rank=8)
    objective = LevelledLoss(momentum=0.95, strength=0.2)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
    gen = torch.Generator().manual_seed(9)
    for step in range(steps):
        sel = torch.randint(0, len(r), (batch,), generator=gen)
        pred = model(u[sel], i[sel])
        loss, mse = objective(pred, r[sel])
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        if step % 50 == 0:
            print(f"step {step:4d} rmse {mse.item() ** 0.5:.4f}")
    with torch.no_grad():
        full = (model(u, i) - r).pow(2).mean().sqrt()
    print(f"final rmse {full.item():.4f}")


if __name__ == "__main__":
    run()
