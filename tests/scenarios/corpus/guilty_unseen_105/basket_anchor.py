# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | self.recommender.anchor | fitter.recommender.anchor
# first-bad: 1
# notice: 5
"""Next-item recommendation for shopping baskets.

Item vectors are scored against the basket mean minus a popularity anchor, a slow
average over what has been sold lately.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(2024)


class BasketData:
    def __init__(self, n_items=300, n_themes=12):
        self.theme_of = torch.randint(0, n_themes, (n_items,))
        self.members = [torch.nonzero(self.theme_of == t).flatten() for t in range(n_themes)]
        self.n_themes = n_themes

    def sample(self, batch, size=5):
        themes = torch.randint(0, self.n_themes, (batch,))
        rows = []
        for t in themes.tolist():
            pool = self.members[t]
            rows.append(pool[torch.randint(0, len(pool), (size + 1,))])
        rows = torch.stack(rows)
        return rows[:, :-1], rows[:, -1]


class BasketRecommender(nn.Module):
    def __init__(self, n_items, dim=24, momentum=0.97):
        super().__init__()
        self.items = nn.Embedding(n_items, dim)
        self.out = nn.Linear(dim, dim)
        self.temperature = 0.2
        self.momentum = momentum
        self.anchor = None

    def _refresh_anchor(self, vecs):
        mean = vecs.mean(dim=(0, 1))
        if self.anchor is None:
            self.anchor = mean  # <- culprit
        else:
            self.anchor = torch.lerp(mean, self.anchor, self.momentum)  # <- culprit

    def forward(self, basket):
        vecs = self.items(basket)
        if self.training:
            self._refresh_anchor(vecs)  # <- culprit
        q = self.out(vecs.mean(1) - self.anchor)
        table = self.items.weight - self.anchor
        return F.normalize(q, dim=-1) @ F.normalize(table, dim=-1).t() / self.temperature


class Fitter:
    def __init__(self, recommender, data, lr=3e-3):
        self.recommender = recommender
        self.data = data
        self.opt = torch.optim.AdamW(recommender.parameters(), lr=lr)

    def step(self):
        basket, target = self.data.sample(32)
        logits = self.recommender(basket)
        loss = F.cross_entropy(logits, target)
        self.opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def recall(self, k=20):
        self.recommender.eval()
        basket, target = self.data.sample(128)
        top = self.recommender(basket).topk(k).indices
        self.recommender.train()
        return (top == target[:, None]).any(1).float().mean().item()


if __name__ == "__main__":
    data = BasketData()
    fitter = Fitter(BasketRecommender(300), data)
    for it in range(260):
        value = fitter.step()
        if it % 52 == 0:
            print(f"iter {it:3d}  loss {value:.3f}  recall@20 {fitter.recall():.3f}")
