# gradwatch-corpus: kind=graph-chain
# holder: cum_regret | tally["regret"] | tally
# first-bad: 1
"""Contextual bandit with a soft policy; minimises regret with a hand-written RMSProp."""
import torch
from torch import nn


class SoftPolicy(nn.Module):
    def __init__(self, ctx, arms):
        super().__init__()
        self.score = nn.Bilinear(ctx, 4, arms)
        self.user = nn.Parameter(torch.randn(4) * 0.1)
        self.temp = 1.0

    def forward(self, context):
        u = self.user.expand(context.size(0), -1)
        return torch.softmax(self.score(context, u) / self.temp, dim=-1)


def make_env(ctx, arms, seed):
    gen = torch.Generator().manual_seed(seed)
    theta = torch.randn(ctx, arms, generator=gen)

    def pull(n):
        context = torch.randn(n, ctx, generator=gen)
        clean = torch.tanh(context @ theta)
        noisy = clean + 0.1 * torch.randn(n, arms, generator=gen)
        return context, noisy, clean

    return pull


def rmsprop(parameters, lr, decay=0.95, eps=1e-6):
    parameters = list(parameters)
    second = [torch.zeros_like(p.data) for p in parameters]

    def step():
        for p, s in zip(parameters, second):
            g = p.grad.data
            s.mul_(decay).addcmul_(g, g, value=1 - decay)
            p.data -= lr * g / (s.sqrt() + eps)
            p.grad = None

    return step


def regret_of(policy, context, noisy):
    probs = policy(context)
    best = noisy.max(dim=1).values
    expected = (probs * noisy).sum(dim=1)
    entropy = -(probs * (probs + 1e-9).log()).sum(dim=1)
    return (best - expected - 0.01 * entropy).mean()


def play(rounds=100, ctx=10, arms=6, users=32):
    torch.manual_seed(5)
    pull = make_env(ctx, arms, seed=5)
    policy = SoftPolicy(ctx, arms)
    update = rmsprop(policy.parameters(), lr=5e-3)
    tally = {"regret": torch.zeros(()), "greedy": 0.0}
    for r in range(rounds):
        context, noisy, clean = pull(users)
        inst = regret_of(policy, context, noisy)
        cum_regret = tally["regret"] + inst  # <- culprit
        average = cum_regret / (r + 1)
        average.backward(retain_graph=True)
        update()
        tally["regret"] = cum_regret  # <- culprit
        with torch.no_grad():
            picks = policy(context).argmax(1)
            hit = (picks == clean.argmax(1)).float().mean()
            tally["greedy"] = 0.9 * tally["greedy"] + 0.1 * hit.item()
        if r % 25 == 0:
            print(f"round {r:3d} avg regret {average.item():.4f} greedy {tally['greedy']:.3f}")
    return policy


if __name__ == "__main__":
    play()
