# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F


class SlotMemory(nn.Module):
    """Key-value slots, written after every batch, oldest slot first."""

    def __init__(self, slots, dim, classes):
        super().__init__()
        self.register_buffer("keys", F.normalize(torch.randn(slots, dim), dim=-1))
        self.register_buffer("values", torch.randint(0, classes, (slots,)))
        self.register_buffer("age", torch.zeros(slots))
        self.temp = nn.Parameter(torch.tensor(2.0))
        self.classes = classes

    def read(self, query, k=8):
        sim = query @ self.keys.t()
        top, idx = sim.topk(k, dim=1)
        weight = F.softmax(top * self.temp.exp(), dim=1)
        votes = F.one_hot(self.values[idx], self.classes).float()
        return (weight.unsqueeze(-1) * votes).sum(1), idx

    @torch.no_grad()
    def write(self, query, target, idx):
        self.age += 1
        hit = idx[:, 0]
        right = self.values[hit] == target
        merged = F.normalize(self.keys[hit[right]] + query[right], dim=-1)
        self.keys[hit[right]] = merged
        self.age[hit[right]] = 0
        wrong = (~right).nonzero().flatten()
        oldest = self.age.topk(len(wrong)).indices if len(wrong) else wrong
        self.keys[oldest] = query[wrong]
        self.values[oldest] = target[wrong]
        self.age[oldest] = 0
        return right.float().mean().item()


class Chef(nn.Module):
    def __init__(self, ingredients=50, dim=16, classes=12):
        super().__init__()
        self.bag = nn.EmbeddingBag(ingredients, 32, mode="mean")
        self.proj = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, dim))
        self.memory = SlotMemory(96, dim, classes)

    def forward(self, items):
        q = F.normalize(self.proj(self.bag(items)), dim=-1)
        probs, idx = self.memory.read(q)
        return q, probs, idx


def baskets(n, affinity, gen):
    label = torch.randint(0, affinity.shape[0], (n,), generator=gen)
    return torch.multinomial(affinity[label], 7, generator=gen), label


def main():
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(6)
    affinity = torch.rand(12, 50, generator=gen).pow(5) + 0.005
    chef = Chef()
    opt = torch.optim.Adam(chef.parameters(), lr=5e-3)
    hits, losses = [], []
    for step in range(500):
        items, label = baskets(32, affinity, gen)
        q, probs, idx = chef(items)
        votes = probs.gather(1, label.unsqueeze(1)).squeeze(1)
        same = label[:, None] == label[None]
        sim = q @ q.t()
        pull = F.relu(0.3 - sim[same]).mean() + F.relu(sim[~same] - 0.2).mean()
        loss = -(votes + 1e-3).log().mean() + pull
        opt.zero_grad()
        loss.backward()
        opt.step()
        hits.append(chef.memory.write(q.detach(), label, idx))
        losses.append(loss.detach().item())
        if step % 100 == 99:
            print(step + 1, f"hit {sum(hits[-50:]) / 50:.3f} loss {sum(losses[-50:]) / 50:.3f}")


if __name__ == "__main__":
    main()
