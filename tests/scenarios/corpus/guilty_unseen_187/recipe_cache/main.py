# gradwatch-corpus: kind=graph-held
# holder: self.vectors | cache.vectors
# first-bad: 31
import torch
from torch import nn
import torch.nn.functional as F

from cache import StepCache


class RecipeEncoder(nn.Module):
    def __init__(self, ingredients=50, dim=20):
        super().__init__()
        self.fc1 = nn.Linear(ingredients, 40)
        self.fc2 = nn.Linear(40, dim)

    def forward(self, bag):
        return F.normalize(self.fc2(F.relu(self.fc1(bag))), dim=-1)


def recipes(n, gen):
    cuisine = torch.randint(0, 5, (n,), generator=gen)
    rates = torch.full((n, 50), 0.05)
    for c in range(5):
        rates[cuisine == c, c * 10:(c + 1) * 10] = 0.5
    first = torch.bernoulli(rates, generator=gen)
    second = torch.bernoulli(rates, generator=gen)
    return first, second


def main():
    torch.manual_seed(82)
    gen = torch.Generator().manual_seed(82)
    encoder = RecipeEncoder()
    optimizer = torch.optim.Adam(encoder.parameters(), lr=2e-3)
    cache = StepCache()
    for step in range(500):
        first, second = recipes(16, gen)
        za, zb = encoder(first), encoder(second)
        negatives = cache.lookup(cache.recent(20))
        logits = za @ zb.t()
        if negatives:
            logits = torch.cat([logits, za @ torch.stack(negatives).t()], 1)
        loss = F.cross_entropy(logits / 0.2, torch.arange(16))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        cache.put(f"q{step:05d}", zb[step % 16], step)
        gone = cache.evict(step)
        if step % 100 == 0:
            print(f"step {step} loss {loss.item():.4f} live {len(cache.born)} evicted {gone}")


if __name__ == "__main__":
    main()
