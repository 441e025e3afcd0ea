# gradwatch-corpus: kind=graph-held
# holder: rollouts | rollouts[-1].entropy | rollouts[-1] | r.entropy
# first-bad: 1
"""Chapter 4 experiments: REINFORCE with a greedy-free moving baseline on small travelling
salesman instances (pointer decoder, no beam search)."""
import math
import time
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(2024)
torch.set_num_threads(1)

N_CITIES = 6
BATCH = 24
HIDDEN = 32
STEPS = 260
LR = 1e-3
ENTROPY_WEIGHT = 0.02
BASELINE_DECAY = 0.9

Rollout = namedtuple("Rollout", ["step", "cost", "best", "entropy", "seconds"])

gen = torch.Generator().manual_seed(99)


def sample_instances(n):
    return torch.rand(n, N_CITIES, 2, generator=gen)


def tour_length(xy, tour):
    ordered = xy.gather(1, tour[..., None].expand(-1, -1, 2))
    return (ordered - ordered.roll(-1, dims=1)).norm(dim=-1).sum(1)


class PointerPolicy(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(2, HIDDEN)
        self.mix = nn.Linear(2 * HIDDEN, HIDDEN)
        self.key = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.cell = nn.GRUCell(HIDDEN, HIDDEN)
        self.start = nn.Parameter(torch.zeros(HIDDEN))

    def encode(self, xy):
        h = torch.tanh(self.embed(xy))
        pooled = h.mean(1, keepdim=True).expand_as(h)
        return torch.tanh(self.mix(torch.cat([h, pooled], -1)))

    def forward(self, xy):
        b = xy.size(0)
        nodes = self.encode(xy)
        keys = self.key(nodes)
        state = nodes.mean(1)
        inp = self.start.expand(b, -1)
        visited = torch.zeros(b, N_CITIES, dtype=torch.bool)
        log_prob, entropy, tour = 0.0, 0.0, []
        for _ in range(N_CITIES):
            state = self.cell(inp, state)
            logits = torch.einsum("bnh,bh->bn", keys, state) / math.sqrt(HIDDEN)
            logits = logits.masked_fill(visited, -1e9)
            logp = F.log_softmax(logits, -1)
            p = logp.exp()
            choice = torch.multinomial(p, 1, generator=gen).squeeze(1)
            log_prob = log_prob + logp.gather(1, choice[:, None]).squeeze(1)
            entropy = entropy - (p * logp).sum(-1)
            visited = visited.scatter(1, choice[:, None], True)
            inp = nodes[torch.arange(b), choice]
            tour.append(choice)
        return torch.stack(tour, 1), log_prob, entropy.mean()


policy = PointerPolicy()
opt = torch.optim.Adam(policy.parameters(), lr=LR)

baseline = None
rollouts = []
started = time.time()

for step in range(STEPS):
    xy = sample_instances(BATCH)
    tour, log_prob, entropy = policy(xy)
    cost = tour_length(xy, tour)

    mean_cost = cost.mean().item()
    if baseline is None:
        baseline = mean_cost
    advantage = cost - baseline
    baseline = BASELINE_DECAY * baseline + (1 - BASELINE_DECAY) * mean_cost

    loss = (advantage * log_prob).mean() - ENTROPY_WEIGHT * entropy

    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
    opt.step()

    rollouts.append(Rollout(step, mean_cost, cost.min().item(), entropy, time.time() - started))  # <- culprit

    if step % 65 == 64:
        recent = rollouts[-65:]
        avg_cost = sum(r.cost for r in recent) / len(recent)
        avg_ent = sum(float(r.entropy) for r in recent) / len(recent)
        print(f"{step:5d}  tour {avg_cost:.3f}  entropy {avg_ent:.3f}  best {min(r.best for r in recent):.3f}")

# numbers for table 4.2
first, last = rollouts[:50], rollouts[-50:]
print("tour length, first 50 steps:", round(sum(r.cost for r in first) / 50, 3))
print("tour length, last 50 steps: ", round(sum(r.cost for r in last) / 50, 3))
print("seconds per step:           ", round(rollouts[-1].seconds / STEPS, 4))
