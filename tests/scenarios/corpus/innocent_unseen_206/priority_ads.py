# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F


class WideDeep(nn.Module):
    def __init__(self, users=80, ads=40, dim=6):
        super().__init__()
        self.u, self.a = nn.Embedding(users, dim), nn.Embedding(ads, dim)
        self.wide = nn.EmbeddingBag(users + ads, 1, mode="sum")
        self.deep = nn.Sequential(nn.Linear(2 * dim, 24), nn.ReLU(), nn.Linear(24, 1))
        self.users = users

    def forward(self, user, ad):
        wide = self.wide(torch.stack([user, ad + self.users], 1))
        deep = self.deep(torch.cat([self.u(user), self.a(ad)], 1))
        return (wide + deep).squeeze(-1)


class PriorityTable:
    """Per-example losses of the whole log, used to choose the next batch."""

    def __init__(self, n, alpha=0.6):
        self.score = torch.ones(n)
        self.visits = torch.zeros(n, dtype=torch.long)
        self.running = {}
        self.alpha = alpha

    def draw(self, k, gen):
        p = self.score.pow(self.alpha)
        idx = torch.multinomial(p, k, generator=gen)
        w = 1.0 / (len(p) * p[idx] / p.sum())
        return idx, w / w.max()

    def update(self, idx, losses):
        self.visits[idx] += 1
        self.score[idx] = losses.detach().clamp(1e-3, 5.0)
        for i, value in zip(idx.tolist(), losses.tolist()):
            old = self.running.get(i, value)
            self.running[i] = 0.7 * old + 0.3 * value


class Calibration:
    def __init__(self, bins=10):
        self.hits, self.mass, self.count = torch.zeros(bins), torch.zeros(bins), torch.zeros(bins)

    def update(self, logits, click):
        p = logits.sigmoid()
        b = (p * 10).long().clamp(max=9)
        self.hits.index_add_(0, b, click)
        self.mass.index_add_(0, b, p)
        self.count.index_add_(0, b, torch.ones_like(p))

    def error(self):
        n = self.count.clamp(min=1)
        return ((self.hits - self.mass).abs() / n * self.count / self.count.sum()).sum().item()

    def reset(self):
        for t in (self.hits, self.mass, self.count):
            t.zero_()


def click_log(n, gen):
    user = torch.randint(0, 80, (n,), generator=gen)
    ad = torch.randint(0, 40, (n,), generator=gen)
    taste, pitch = torch.randn(80, 3, generator=gen), torch.randn(40, 3, generator=gen)
    p = ((taste[user] * pitch[ad]).sum(1) - 1).sigmoid()
    return user, ad, torch.bernoulli(p, generator=gen)


def main():
    torch.manual_seed(50)
    gen = torch.Generator().manual_seed(50)
    user, ad, click = click_log(4000, gen)
    model, table, calib = WideDeep(), PriorityTable(4000), Calibration()
    opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
    summary = []
    for step in range(450):
        idx, weight = table.draw(64, gen)
        logits = model(user[idx], ad[idx])
        losses = F.binary_cross_entropy_with_logits(logits, click[idx], reduction="none")
        keep = losses < torch.quantile(losses.detach(), 0.95)
        loss = (weight * losses)[keep].mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        table.update(idx, losses)
        calib.update(logits.detach(), click[idx])
        if step % 50 == 49:
            summary.append((step + 1, calib.error(), len(table.running), table.score.mean().item()))
            calib.reset()
    for row in summary:
        print("step %d calib %.3f seen %d mean loss %.3f" % row)


if __name__ == "__main__":
    main()
