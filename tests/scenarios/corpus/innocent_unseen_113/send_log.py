# gradwatch-corpus: kind=none
"""REINFORCE on contextual bandits; the log is a coroutine that one sends terms to."""
from statistics import fmean

import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(61)

ARMS, CTX = 5, 8


def phase_log(length, history):
    """Send it dicts of terms; each `length` of them make one line of `history`."""
    while True:
        terms = {}
        worst = None
        for _ in range(length):
            got = yield len(history)
            if got is None:
                continue
            for name, value in got.items():
                terms.setdefault(name, []).append(value)
            if worst is None or got["policy"] > worst:
                worst = got["policy"]
        history.append({k: fmean(v.item() for v in vs) for k, vs in terms.items()} | {"worst": float(worst.detach())})


def primed(gen):
    next(gen)
    return gen


class Env:
    def __init__(self):
        self.w = torch.randn(CTX, ARMS)

    def contexts(self, n):
        return torch.randn(n, CTX)

    def reward(self, ctx, arm):
        mean = (ctx @ self.w).gather(1, arm.unsqueeze(1)).squeeze(1)
        return mean + 0.2 * torch.randn_like(mean)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(CTX, 24), nn.Tanh())
        self.pi = nn.Linear(24, ARMS)
        self.v = nn.Linear(24, 1)

    def forward(self, ctx):
        h = self.f(ctx)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(1)


def terms_of(policy, env, n=48):
    ctx = env.contexts(n)
    dist, value = policy(ctx)
    arm = dist.sample()
    r = env.reward(ctx, arm)
    adv = (r - value).detach()
    return {
        "policy": -(dist.log_prob(arm) * adv).mean(),
        "value": (value - r).square().mean(),
        "entropy": dist.entropy().mean(),
        "reward": r.mean(),
    }


def main():
    env, policy = Env(), Policy()
    opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
    history = []
    log = primed(phase_log(9, history))
    lines = 0
    for step in range(450):
        t = terms_of(policy, env)
        loss = t["policy"] + 0.5 * t["value"] - 0.01 * t["entropy"]
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 2 == 0:
            lines = log.send(t)
    for i in range(0, lines, 6):
        print(i, {k: round(v, 3) for k, v in history[i].items()})


if __name__ == "__main__":
    main()
