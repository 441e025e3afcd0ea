# gradwatch-corpus: kind=graph-chain
# holder: self.baseline | learner.baseline
# first-bad: 1
"""Contextual bandit for news headlines, policy gradient with a moving baseline."""
import torch
from torch import nn
from torch.distributions import Categorical


class Headlines:
    def __init__(self, arms, ctx, seed):
        g = torch.Generator().manual_seed(seed)
        self.theta = torch.randn(arms, ctx, generator=g)
        self.g = g
        self.ctx = ctx

    def visitors(self, n):
        return torch.randn(n, self.ctx, generator=self.g)

    def clicks(self, x, arm):
        p = torch.sigmoid((x * self.theta[arm]).sum(-1))
        return torch.bernoulli(p, generator=self.g)


class LinearPolicy(nn.Module):
    def __init__(self, ctx, arms):
        super().__init__()
        self.scores = nn.Linear(ctx, arms)

    def forward(self, x):
        return Categorical(logits=self.scores(x))


class Learner:
    def __init__(self, policy, lr=0.02, beta=0.95, entropy=0.01):
        self.policy = policy
        self.opt = torch.optim.Adam(policy.parameters(), lr=lr)
        self.beta, self.entropy = beta, entropy
        self.baseline = torch.zeros(())

    def expected(self, dist, arm, reward):
        weight = dist.log_prob(arm).exp()
        return (weight * reward).sum() / weight.sum()

    def update(self, x, arm, reward):
        dist = self.policy(x)
        value = self.expected(dist, arm, reward)
        adv = reward - self.baseline
        loss = -(dist.log_prob(arm) * adv).mean() - self.entropy * dist.entropy().mean()
        self.baseline = self.beta * self.baseline + (1 - self.beta) * value  # <- culprit
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        return loss.item()


def regret(env, x, arm):
    p = torch.sigmoid(x @ env.theta.t())
    return (p.max(1).values - p.gather(1, arm[:, None]).squeeze(1)).mean().item()


def main():
    torch.manual_seed(4)
    env = Headlines(arms=5, ctx=6, seed=4)
    learner = Learner(LinearPolicy(6, 5))
    total = 0.0
    for rnd in range(420):
        x = env.visitors(32)
        with torch.no_grad():
            arm = learner.policy(x).sample()
        reward = env.clicks(x, arm)
        loss = learner.update(x, arm, reward)
        total += regret(env, x, arm)
        if rnd % 60 == 59:
            print(f"round {rnd + 1} loss {loss:+.3f} avg regret {total / (rnd + 1):.3f}")


if __name__ == "__main__":
    main()
