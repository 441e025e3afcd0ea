# gradwatch-corpus: kind=none
"""BPR matrix factorisation; gradients are summed over four slices of each batch."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class MF(nn.Module):
    def __init__(self, n_user, n_item, dim=12):
        super().__init__()
        self.user = nn.Embedding(n_user, dim)
        self.item = nn.Embedding(n_item, dim)
        self.bias = nn.Embedding(n_item, 1)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.bias(i).squeeze(-1)


def clicks(n_user, n_item, per_user):
    a, b = torch.randn(n_user, 3), torch.randn(n_item, 3)
    noisy = a @ b.T + torch.randn(n_user, n_item)
    liked = noisy.topk(per_user, 1).indices
    return torch.arange(n_user).repeat_interleave(per_user), liked.reshape(-1)


class HardNegatives:
    """Remembers, per user, the highest-scored negatives seen lately."""

    def __init__(self, n_user, n_item, size=4):
        self.pool = torch.randint(0, n_item, (n_user, size))
        self.score = torch.full((n_user, size), -1e9)

    def offer(self, u, j, s):
        s = s.detach()
        slot = self.score[u].argmin(1)
        better = s > self.score[u, slot]
        self.pool[u[better], slot[better]] = j[better]
        self.score[u[better], slot[better]] = s[better]
        self.score.mul_(0.99)

    def draw(self, u, n_item):
        pick = self.pool[u, torch.randint(0, self.pool.shape[1], u.shape)]
        rand = torch.randint(0, n_item, u.shape)
        return torch.where(torch.rand(u.shape) < 0.3, pick, rand)


def main(n_user=200, n_item=150, slices=4, rounds=450):
    torch.manual_seed(60)
    users, items = clicks(n_user, n_item, 10)
    model = MF(n_user, n_item)
    hard = HardNegatives(n_user, n_item)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    window_loss = torch.zeros(())
    micro = 0
    model.zero_grad()
    while micro < rounds * slices:
        k = torch.randint(0, len(users), (48,))
        u, i = users[k], items[k]
        j = hard.draw(u, n_item)
        neg = model(u, j)
        loss = -F.logsigmoid(model(u, i) - neg).mean()
        loss = loss + 1e-3 * model.item(i).pow(2).sum(-1).mean()
        (loss / slices).backward()
        hard.offer(u, j, neg)
        window_loss += loss.detach() / slices
        micro += 1
        if micro % slices == 0:
            opt.step()
            opt.zero_grad()
            if micro % (slices * 90) == 0:
                print(f"round {micro // slices} bpr {window_loss.item():.4f}")
            window_loss = torch.zeros(())


if __name__ == "__main__":
    main()
