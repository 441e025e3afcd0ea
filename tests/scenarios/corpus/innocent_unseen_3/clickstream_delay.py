# gradwatch-corpus: kind=none
# about: log-probs wait 2 to 14 rounds in a heap for their reward, then take part in a backward; never more than about 14 waiting
"""Contextual bandit where the conversion arrives several rounds after the banner was shown (REINFORCE with delayed feedback)."""
import heapq
import itertools

import torch

torch.manual_seed(7)
gen = torch.Generator().manual_seed(70)
N_FEAT, N_BANNER, ROUNDS = 48, 12, 420
truth = torch.randn(N_BANNER, N_FEAT, generator=gen) / 4

policy = torch.nn.Linear(N_FEAT, N_BANNER)
opt = torch.optim.SGD(policy.parameters(), lr=.15)
tickets = itertools.count()
awaiting = []          # heap of (due round, ticket, log-probability, reward)
baseline, clicks, served = 0.0, 0.0, 0


def show(visitors):
    dist = torch.distributions.Categorical(logits=policy(visitors))
    shown = dist.sample()
    chance = torch.sigmoid((truth[shown] * visitors).sum(1))
    reward = torch.bernoulli(chance, generator=gen)
    return dist.log_prob(shown), reward


for rnd in range(ROUNDS):
    visitors = torch.randn(64, N_FEAT, generator=gen)
    lp, reward = show(visitors)
    due = rnd + int(torch.randint(2, 15, (1,), generator=gen))
    heapq.heappush(awaiting, (due, next(tickets), lp, reward))

    ripe = []
    while awaiting and awaiting[0][0] <= rnd:
        _, _, old_lp, r = heapq.heappop(awaiting)
        ripe.append((old_lp, r))
    if ripe:
        opt.zero_grad()
        objective = sum(-(l * (r - baseline)).mean() for l, r in ripe) / len(ripe)
        objective.backward()
        opt.step()
        for _, r in ripe:
            baseline = .95 * baseline + .05 * r.mean().item()
            clicks += r.sum().item()
            served += r.numel()
    if rnd % 60 == 59:
        print(f"round {rnd + 1}: ctr {clicks / max(served, 1):.3f}, outstanding {len(awaiting)}, baseline {baseline:.3f}")

# what is still outstanding at closing time is settled at once
opt.zero_grad()
for _, _, lp, r in awaiting:
    (-(lp * (r - baseline)).mean() / len(awaiting)).backward()
opt.step()
print("settled", len(awaiting))
