# gradwatch-corpus: kind=graph-held
# holder: self.rows | log.rows | runlog.rows
# first-bad: 1
# also: retain-needless
import torch
import torch.nn as nn
from torch.distributions import Categorical


class AdServer:
    """Contextual bandit: eight ads, click odds depend on the visitor."""

    def __init__(self, n_ads=8, ctx=10, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.theta = torch.randn(ctx, n_ads, generator=g) * 0.8
        self.ctx = ctx

    def visitors(self, n):
        return torch.randn(n, self.ctx)

    def clicks(self, x, ads):
        p = torch.sigmoid((x @ self.theta).gather(1, ads[:, None]).squeeze(1) - 1)
        return torch.bernoulli(p)


class Policy(nn.Module):
    def __init__(self, ctx=10, n_ads=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(ctx, 40), nn.ReLU(), nn.Linear(40, n_ads))

    def forward(self, x):
        return Categorical(logits=self.net(x))


class RunLog:
    def __init__(self):
        self.rows = []

    def write(self, **row):
        self.rows.append(row)  # <- culprit

    def mean(self, key, last):
        picked = [torch.as_tensor(r[key]).item() for r in self.rows[-last:]]
        return sum(picked) / len(picked)


class Reinforce:
    def __init__(self, policy, server, log, lr=3e-3, beta=0.01):
        self.policy, self.server, self.log = policy, server, log
        self.opt = torch.optim.Adam(policy.parameters(), lr=lr)
        self.beta = beta
        self.ctr = 0.25

    def play(self, n):
        x = self.server.visitors(n)
        dist = self.policy(x)
        ads = dist.sample()
        return dist.log_prob(ads), dist.entropy().mean(), self.server.clicks(x, ads)

    def step(self, n=64):
        logp, entropy, reward = self.play(n)
        loss = -(logp * (reward - self.ctr)).mean() - self.beta * entropy
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        self.ctr = 0.95 * self.ctr + 0.05 * reward.mean().item()
        self.log.write(ctr=reward.mean().item(), entropy=entropy, loss=loss.item())  # <- culprit


def main():
    torch.manual_seed(6)
    runlog = RunLog()
    agent = Reinforce(Policy(), AdServer(), runlog)
    for it in range(1, 201):
        agent.step()
        if it % 40 == 0:
            print(f"it {it}: ctr {runlog.mean('ctr', 40):.3f} entropy {runlog.mean('entropy', 40):.3f}")


if __name__ == "__main__":
    main()
