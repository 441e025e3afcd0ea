# gradwatch-corpus: kind=graph-held
# holder: window | report.gi_frame.f_locals["window"]
# first-bad: 1
"""Contextual bandit with policy gradients; progress is reported by a coroutine."""
import torch
import torch.nn as nn
from torch.distributions import Categorical


def coroutine(fn):
    def start(*args, **kwargs):
        gen = fn(*args, **kwargs)
        next(gen)
        return gen

    return start


@coroutine
def reporter(every):
    window = []
    while True:
        item = yield
        window.append(item)  # <- culprit
        if len(window) % every == 0:
            ent = torch.stack([w["entropy"] for w in window[-every:]]).mean()
            rew = sum(w["reward"] for w in window[-every:]) / every
            print(f"{len(window):4d} reward {rew:.3f} entropy {ent.item():.3f}")


class Bandit:
    def __init__(self, ctx, arms):
        self.theta = torch.randn(ctx, arms)
        self.ctx = ctx

    def contexts(self, n):
        return torch.randn(n, self.ctx)

    def pull(self, c, a):
        means = (c @ self.theta).gather(1, a[:, None]).squeeze(1)
        return torch.sigmoid(means) + 0.05 * torch.randn(len(a))


def build_policy(ctx, arms):
    layers = [nn.Linear(ctx, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, arms)]
    return nn.Sequential(*layers)


def main():
    torch.manual_seed(31)
    env = Bandit(ctx=10, arms=5)
    policy = build_policy(10, 5)
    opt = torch.optim.Adam(policy.parameters(), lr=5e-3)
    report = reporter(25)
    baseline = 0.0
    for _ in range(150):
        c = env.contexts(64)
        dist = Categorical(logits=policy(c))
        a = dist.sample()
        r = env.pull(c, a)
        adv = r - baseline
        ent = dist.entropy().mean()
        loss = -(dist.log_prob(a) * adv).mean() - 0.01 * ent
        opt.zero_grad()
        loss.backward()
        opt.step()
        baseline = 0.9 * baseline + 0.1 * r.mean().item()
        report.send({"reward": r.mean().item(), "entropy": ent})  # <- culprit
    report.close()


if __name__ == "__main__":
    main()
