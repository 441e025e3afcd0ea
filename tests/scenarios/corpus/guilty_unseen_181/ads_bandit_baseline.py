# gradwatch-corpus: kind=graph-chain
# holder: baseline
# first-bad: 1
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

# Contextual bandit for choosing which of 6 ads to show.
# Plain REINFORCE, with a smoothed state value as baseline.

torch.manual_seed(7)

N_ADS = 6
CTX = 12
BATCH = 48
STEPS = 600
BETA = 0.9
ENT_COEF = 0.01

true_w = torch.randn(CTX, N_ADS) * 0.7


def sample_context(n):
    return torch.randn(n, CTX)


def click(ctx, action):
    logits = (ctx @ true_w).gather(1, action.unsqueeze(1)).squeeze(1)
    return torch.bernoulli(torch.sigmoid(logits))


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.logits = nn.Linear(CTX, N_ADS)

    def forward(self, ctx):
        return F.log_softmax(self.logits(ctx), dim=-1)


class Value(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(CTX, 1)

    def forward(self, ctx):
        return self.head(ctx).squeeze(-1)


def entropy(logp):
    return -(logp.exp() * logp).sum(-1).mean()


policy = Policy()
value = Value()
opt = torch.optim.Adam(list(policy.parameters()) + list(value.parameters()), lr=3e-3)

baseline = 0.0
click_rate = 0.0
regret = 0.0

for step in range(STEPS):
    ctx = sample_context(BATCH)
    logp = policy(ctx)
    action = torch.multinomial(logp.detach().exp(), 1).squeeze(1)
    reward = click(ctx, action)

    v = value(ctx)
    baseline = BETA * baseline + (1 - BETA) * v.mean()  # <- culprit

    advantage = reward - baseline
    picked = logp.gather(1, action.unsqueeze(1)).squeeze(1)
    pg_loss = -(picked * advantage).mean()
    value_loss = F.mse_loss(v, reward)
    loss = pg_loss + 0.5 * value_loss - ENT_COEF * entropy(logp)

    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()

    with torch.no_grad():
        best = torch.sigmoid(ctx @ true_w).max(dim=1).values.mean().item()
    click_rate = 0.98 * click_rate + 0.02 * reward.mean().item()
    regret += best - reward.mean().item()

    if step % 100 == 0:
        fixed = click_rate / (1 - math.pow(0.98, step + 1))
        print(f"step {step:4d}  loss {loss.item():.4f}  ctr {fixed:.3f}  regret {regret:.2f}")

print("final ctr", round(click_rate, 3))
