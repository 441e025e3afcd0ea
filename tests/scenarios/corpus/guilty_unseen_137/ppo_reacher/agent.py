import torch
from torch import nn
from torch.distributions import Normal


def advantages(reward, values, gamma=0.97, lam=0.9):
    out, last = [], torch.zeros_like(values[-1])
    for t in reversed(range(len(reward))):
        delta = reward[t] + gamma * values[t + 1] - values[t]
        last = delta + gamma * lam * last
        out.append(last)
    return torch.stack(out[::-1])


class ReacherPolicy(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
        self.logstd = nn.Parameter(torch.zeros(1) - 0.5)
        self.value = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))

    def dist(self, obs):
        return Normal(self.mean(obs).squeeze(-1), self.logstd.exp())

    def collect(self, env, horizon):
        obs, rows = env.reset(), []
        for _ in range(horizon):
            with torch.no_grad():
                d = self.dist(obs)
                a = d.sample()
                lp = d.log_prob(a)
            nxt, r = env.step(a)
            rows.append((obs, a, lp, r))
            obs = nxt
        o, a, lp, r = (torch.stack(c) for c in zip(*rows))
        values = self.value(torch.cat([o, obs.unsqueeze(0)])).squeeze(-1)  # <- culprit
        adv = advantages(r, values)  # <- culprit
        return {"obs": o, "act": a, "logp": lp, "reward": r, "adv": adv, "ret": (adv + values[:-1]).detach()}


def ppo_update(policy, opt, batch, epochs, clip=0.2):
    for _ in range(epochs):
        ratio = (policy.dist(batch["obs"]).log_prob(batch["act"]) - batch["logp"]).exp()
        surr = torch.min(ratio * batch["adv"], ratio.clamp(1 - clip, 1 + clip) * batch["adv"])
        vloss = (policy.value(batch["obs"]).squeeze(-1) - batch["ret"]).pow(2).mean()
        loss = -surr.mean() + 0.5 * vloss
        opt.zero_grad()
        loss.backward()
        opt.step()
    return {"pi": round(-surr.mean().item(), 4), "v": round(vloss.item(), 4)}
