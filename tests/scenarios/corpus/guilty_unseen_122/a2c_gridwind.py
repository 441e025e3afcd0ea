# gradwatch-corpus: kind=graph-held
# holder: self.log["entropy"] | agent.log["entropy"]
# first-bad: 1
# notice: 8
import argparse
from collections import defaultdict

import torch
torch.set_num_threads(1)
import torch.nn as nn
from torch.distributions import Categorical


class WindyRow:
    """Walk on a ring of cells, wind pushes you, reach the goal cell."""

    def __init__(self, size=9):
        self.size = size
        self.reset()

    def reset(self):
        self.pos = int(torch.randint(0, self.size, (1,)))
        self.goal = (self.pos + self.size // 2) % self.size
        self.t = 0
        return self.obs()

    def obs(self):
        o = torch.zeros(2 * self.size)
        o[self.pos] = 1.0
        o[self.size + self.goal] = 1.0
        return o

    def step(self, a):
        wind = int(torch.rand(1) < 0.15)
        self.pos = (self.pos + (a - 1) + wind) % self.size
        self.t += 1
        hit = self.pos == self.goal
        return self.obs(), 1.0 if hit else -0.05, hit or self.t >= 20


class ActorCritic(nn.Module):
    def __init__(self, n_obs, n_act=3, hid=24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_obs, hid), nn.Tanh())
        self.pi, self.v = nn.Linear(hid, n_act), nn.Linear(hid, 1)

    def forward(self, o):
        z = self.body(o)
        return Categorical(logits=self.pi(z)), self.v(z).squeeze(-1)


class A2CAgent:
    def __init__(self, env, args):
        self.env, self.args = env, args
        self.net = ActorCritic(2 * env.size)
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=args.lr)
        self.state = env.reset()
        self.log = defaultdict(list)
        self.ret = 0.0

    def collect(self):
        logps, vals, rews, dones, ents = [], [], [], [], []
        for _ in range(self.args.n_steps):
            dist, v = self.net(self.state)
            a = dist.sample()
            self.state, r, d = self.env.step(int(a))
            logps.append(dist.log_prob(a))
            ents.append(dist.entropy())
            vals.append(v)
            rews.append(r)
            dones.append(d)
            self.ret += r
            if d:
                self.log["return"].append(self.ret)
                self.ret = 0.0
                self.state = self.env.reset()
        return logps, vals, rews, dones, ents

    def targets(self, rews, dones):
        with torch.no_grad():
            R = self.net(self.state)[1]
        out = []
        for r, d in zip(reversed(rews), reversed(dones)):
            R = torch.tensor(r) + self.args.gamma * R * (1.0 - float(d))
            out.insert(0, R)
        return torch.stack(out)

    def update(self):
        logps, vals, rews, dones, ents = self.collect()
        tgt, v = self.targets(rews, dones), torch.stack(vals)
        adv = (tgt - v).detach()
        entropy = torch.stack(ents).mean()
        loss = -(torch.stack(logps) * adv).mean() + 0.5 * (tgt - v).pow(2).mean() - self.args.beta * entropy
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.opt.step()
        self.log["loss"].append(loss.item())
        self.log["entropy"].append(entropy)  # <- culprit


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--updates", type=int, default=320)
    ap.add_argument("--n-steps", type=int, default=5)
    ap.add_argument("--gamma", type=float, default=0.97)
    ap.add_argument("--beta", type=float, default=0.01)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    agent = A2CAgent(WindyRow(), args)
    for u in range(1, args.updates + 1):
        agent.update()
        if u % 80 == 0:
            rets = agent.log["return"][-30:]
            print(f"update {u} return {sum(rets) / max(len(rets), 1):+.2f} H {agent.log['entropy'][-1]:.3f}")


if __name__ == "__main__":
    main()
