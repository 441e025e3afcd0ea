# gradwatch-corpus: kind=none
"""Ad placement: whether a shown ad led to a sale is known only DELAY rounds later."""
from collections import deque

import torch
import torch.nn as nn

DELAY = 7
ROUNDS = 320
SITES, ADS, BATCH = 25, 6, 20


class Policy(nn.Module):
    """Scores for site x ad; two tables that are added up."""

    def __init__(self):
        super().__init__()
        self.site = nn.Embedding(SITES, ADS)
        self.hour = nn.Embedding(24, ADS)
        nn.init.zeros_(self.site.weight)
        nn.init.zeros_(self.hour.weight)

    def forward(self, site, hour):
        return torch.distributions.Categorical(logits=self.site(site) + self.hour(hour))


class Market:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.rate = torch.rand(SITES, ADS, generator=self.g) ** 2

    def visitors(self):
        return (torch.randint(SITES, (BATCH,), generator=self.g),
                torch.randint(24, (BATCH,), generator=self.g))

    def sales(self, site, ad):
        return torch.bernoulli(self.rate[site, ad], generator=self.g)


class Pending:
    """Decisions whose outcome is open, oldest first."""

    def __init__(self, delay):
        self.delay = delay
        self.open = deque()

    def submit(self, logp, entropy, outcome):
        self.open.append((logp, entropy, outcome))

    def due(self):
        if len(self.open) > self.delay:
            return self.open.popleft()
        return None


def main():
    torch.manual_seed(0)
    policy, market, pending = Policy(), Market(6), Pending(DELAY)
    opt = torch.optim.Adam(policy.parameters(), lr=0.05)
    expected = 0.3
    for rnd in range(ROUNDS):
        site, hour = market.visitors()
        dist = policy(site, hour)
        ad = dist.sample()
        pending.submit(dist.log_prob(ad), dist.entropy().mean(), market.sales(site, ad))

        due = pending.due()
        if due is None:
            continue
        logp, entropy, sold = due
        loss = -(logp * (sold - expected)).mean() - 0.005 * entropy
        opt.zero_grad()
        loss.backward()
        opt.step()
        expected += 0.02 * (sold.mean().item() - expected)
        if rnd % 80 == 79:
            print(f"round {rnd + 1}: sold~{expected:.3f} open {len(pending.open)}")


if __name__ == "__main__":
    main()
