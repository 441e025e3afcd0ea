# gradwatch-corpus: kind=second-backward
# first-bad: 1
import torch

from bpr import bpr_loss, sample_triplets
from model import LightGCN


def main(iters=400, batch=64):
    torch.manual_seed(0)
    n_users, n_items = 40, 60
    gen = torch.Generator().manual_seed(3)
    inter = (torch.rand(n_users, n_items, generator=gen) < 0.12).float()
    inter[torch.arange(n_users), torch.arange(n_users)] = 1.0
    model = LightGCN(inter, dim=16, layers=2)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for it in range(iters):
        users, pos, neg = sample_triplets(inter, batch, gen)
        loss = bpr_loss(*model.score_pairs(users, pos, neg)) + 1e-4 * model.l2(users, pos, neg)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 50 == 0:
            print(it, f"{loss.item():.4f}")


if __name__ == "__main__":
    main()
