import torch


class Walk:
    """Stay inside a band while drifting."""

    def __init__(self, n_env, gen):
        self.n, self.gen = n_env, gen
        self.pos = torch.zeros(n_env)
        self.drift = torch.zeros(n_env)

    def obs(self):
        return torch.stack([self.pos, self.drift, self.pos.abs()], -1)

    def step(self, a):
        self.drift = 0.9 * self.drift + 0.2 * torch.randn(self.n, generator=self.gen)
        self.pos = self.pos + (a.float() - 1) * 0.3 + self.drift * 0.2
        reward = (self.pos.abs() < 1).float() - 0.1 * (a != 1).float()
        done = self.pos.abs() > 3
        self.pos = torch.where(done, torch.zeros_like(self.pos), self.pos)
        return self.obs(), reward, done.float()


class Rollout:
    def __init__(self):
        self.fields = {k: [] for k in ("obs", "act", "logp", "val", "rew", "done")}

    def add(self, **kw):
        for k, v in kw.items():
            self.fields[k].append(v)  # <- culprit

    def stacked(self):
        return {k: torch.stack(v) for k, v in self.fields.items()}


def collect(env, policy, horizon):
    buf = Rollout()
    obs = env.obs()
    for _ in range(horizon):
        dist, val = policy(obs)  # <- culprit
        act = dist.sample()
        nxt, rew, done = env.step(act)
        buf.add(obs=obs, act=act, logp=dist.log_prob(act), val=val.detach(), rew=rew, done=done)  # <- culprit
        obs = nxt
    return buf.stacked(), policy(obs)[1].detach()


def gae(data, last, gamma=0.97, lam=0.95):
    adv, run = torch.zeros_like(data["rew"]), torch.zeros_like(last)
    nxt = last
    for t in reversed(range(len(adv))):
        live = 1 - data["done"][t]
        delta = data["rew"][t] + gamma * nxt * live - data["val"][t]
        run = delta + gamma * lam * live * run
        adv[t] = run
        nxt = data["val"][t]
    return adv, adv + data["val"]
