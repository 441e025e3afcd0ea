# gradwatch-corpus: kind=second-backward
# holder: rollout["ret"] | rollout["adv"] | rollout
# first-bad: 1
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(31)


class CartLine:
    """Vectorised 1-D balancing task."""

    def __init__(self, n):
        self.n = n
        self.reset()

    def reset(self):
        self.s = torch.randn(self.n, 4) * 0.1
        return self.s

    def step(self, a):
        force = a.float() * 2 - 1
        x, v, th, om = self.s.unbind(-1)
        om = om + 0.1 * (th * 2 - force * 0.8)
        th = th + 0.1 * om
        v = v + 0.1 * force
        x = x + 0.1 * v
        self.s = torch.stack([x, v, th, om], -1)
        done = (th.abs() > 1.0) | (x.abs() > 3.0)
        reward = 1.0 - th.abs() - 0.1 * x.abs()
        self.s = torch.where(done[:, None], torch.randn(self.n, 4) * 0.1, self.s)
        return self.s, reward, done.float()


class ActorCritic(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, 2)
        self.v = nn.Linear(hidden, 1)

    def forward(self, s):
        h = self.trunk(s)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def collect(net, env, s, horizon):
    buf = {k: [] for k in ("s", "a", "logp", "r", "d", "v")}
    for _ in range(horizon):
        dist, v = net(s)
        a = dist.sample()
        nxt, r, d = env.step(a)
        for k, val in zip(buf, (s, a, dist.log_prob(a).detach(), r, d, v)):  # <- culprit
            buf[k].append(val)
        s = nxt
    with torch.no_grad():
        _, last_v = net(s)
    return {k: torch.stack(v) for k, v in buf.items()}, last_v, s


def gae(buf, last_v, gamma=0.97, lam=0.9):
    adv = torch.zeros_like(last_v)
    out = []
    nxt = last_v
    for t in reversed(range(len(buf["r"]))):
        mask = 1 - buf["d"][t]
        delta = buf["r"][t] + gamma * nxt * mask - buf["v"][t]
        adv = delta + gamma * lam * mask * adv
        out.append(adv)
        nxt = buf["v"][t]
    adv = torch.stack(out[::-1])
    return adv, adv + buf["v"]


def minibatches(roll, size):
    n = roll["s"].shape[0]
    for idx in torch.randperm(n).split(size):
        yield {k: v[idx] for k, v in roll.items()}


def main():
    env = CartLine(8)
    net = ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    s = env.reset()
    rows = []
    for update in range(10):
        buf, last_v, s = collect(net, env, s, 24)
        adv, ret = gae(buf, last_v)
        rollout = {k: buf[k].flatten(0, 1) for k in ("s", "a", "logp")}
        rollout["adv"] = adv.flatten()  # <- culprit
        rollout["ret"] = ret.flatten()  # <- culprit
        for epoch in range(3):
            for mb in minibatches(rollout, 64):
                dist, v = net(mb["s"])
                ratio = (dist.log_prob(mb["a"]) - mb["logp"]).exp()
                a = (mb["adv"] - mb["adv"].mean()) / (mb["adv"].std() + 1e-6)
                pg = -torch.min(ratio * a, ratio.clamp(0.8, 1.2) * a).mean()
                vloss = (v - mb["ret"]).pow(2).mean()
                loss = pg + 0.5 * vloss - 0.01 * dist.entropy().mean()
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                opt.step()
        rows.append({"update": update, "reward": buf["r"].mean().item(), "vloss": vloss.item()})
        print(rows[-1])


if __name__ == "__main__":
    main()
