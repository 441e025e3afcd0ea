# gradwatch-corpus: kind=none
"""Next-basket model; the latest tower output of each of a fixed set of customers is kept."""
import torch
import torch.nn.functional as F
from torch import nn

N_USERS = 36
N_ITEMS = 50


class Basket(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.items = nn.Embedding(N_ITEMS, dim)
        self.users = nn.Embedding(N_USERS, dim)
        self.mix = nn.Linear(2 * dim, dim)

    def encode(self, user, basket):
        bag = self.items(basket).mean(dim=1)
        return torch.tanh(self.mix(torch.cat([self.users(user), bag], dim=-1)))

    def scores(self, h):
        return h @ self.items.weight.t()


class LatestByUser:
    def __init__(self, n):
        self.state = {u: None for u in range(n)}
        self.loss = dict.fromkeys(range(n))
        self.turns = dict.fromkeys(range(n), 0)

    def update(self, users, h, losses):
        for u, row, value in zip(users.tolist(), h.unbind(0), losses.unbind(0)):
            self.state[u] = row
            self.loss[u] = value
            self.turns[u] += 1

    def stale(self, k=3):
        return sorted(self.turns, key=self.turns.get)[:k]

    def similarity(self, a, b):
        if self.state[a] is None or self.state[b] is None:
            return 0.0
        return F.cosine_similarity(self.state[a], self.state[b], dim=0).item()


def main():
    torch.manual_seed(31)
    taste = torch.softmax(1.5 * torch.randn(N_USERS, N_ITEMS), dim=-1)
    model = Basket()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    latest = LatestByUser(N_USERS)
    order = torch.randperm(N_USERS)
    at = 0
    for it in range(560):
        if at + 9 > N_USERS:
            order, at = torch.randperm(N_USERS), 0
        users = order[at:at + 9]
        at += 9
        basket = torch.multinomial(taste[users], 6)
        nxt = torch.multinomial(taste[users], 1).squeeze(1)
        h = model.encode(users, basket)
        losses = F.cross_entropy(model.scores(h), nxt, reduction="none")
        opt.zero_grad()
        losses.mean().backward()
        opt.step()
        latest.update(users, h, losses)
        if it % 112 == 111:
            known = [v.item() for v in latest.loss.values() if v is not None]
            a, b = latest.stale(2)
            print(f"{it + 1}: all-user loss {sum(known) / len(known):.3f} sim({a},{b})={latest.similarity(a, b):+.3f}")


if __name__ == "__main__":
    main()
