# gradwatch-corpus: kind=none
"""A2C with intrinsic-novelty bonus on a windy grid."""
import argparse
from collections import Counter, deque

import torch
import torch.nn as nn
import torch.nn.functional as F


parser = argparse.ArgumentParser()
parser.add_argument("--size", type=int, default=6)
parser.add_argument("--envs", type=int, default=10)
parser.add_argument("--n_steps", type=int, default=8)
parser.add_argument("--updates", type=int, default=80)
parser.add_argument("--gamma", type=float, default=0.95)
parser.add_argument("--bonus", type=float, default=0.1)
parser.add_argument("--entropy", type=float, default=0.02)
parser.add_argument("--lr", type=float, default=3e-3)


class WindyGrid:
    moves = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0]])

    def __init__(self, size, n):
        self.size = size
        self.pos = torch.zeros(n, 2, dtype=torch.long)
        self.age = torch.zeros(n)

    def obs(self):
        one = F.one_hot(self.pos, self.size).float()
        return one.flatten(1)

    def step(self, a):
        wind = (torch.rand(a.size(0), 1) < 0.1).long() * self.moves[2]
        self.pos = (self.pos + self.moves[a] + wind).clamp(0, self.size - 1)
        self.age += 1
        goal = (self.pos == self.size - 1).all(-1)
        done = goal | (self.age >= 40)
        reward = goal.float() - 0.01
        cells = [tuple(p) for p in self.pos.tolist()]
        self.pos[done] = 0
        self.age[done] = 0
        return reward, done.float(), cells


class ActorCritic(nn.Module):
    def __init__(self, n_in, n_act):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, 48), nn.Tanh())
        self.pi = nn.Linear(48, n_act)
        self.v = nn.Linear(48, 1)

    def forward(self, o):
        h = self.body(o)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class Rollout:
    fields = ("logp", "value", "entropy", "reward", "done")

    def __init__(self):
        self.data = {f: [] for f in self.fields}

    def add(self, **kw):
        for k, v in kw.items():
            self.data[k].append(v)

    def stack(self, name):
        return torch.stack(self.data[name])

    def clear(self):
        for v in self.data.values():
            v.clear()


class A2C:
    def __init__(self, args):
        self.args = args
        self.env = WindyGrid(args.size, args.envs)
        self.net = ActorCritic(2 * args.size, 4)
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=args.lr)
        self.roll = Rollout()
        self.visits = Counter()
        self.recent = deque(maxlen=200)
        self.adv_scale = torch.ones(())

    def novelty(self, cells):
        self.visits.update(cells)
        return torch.tensor([self.args.bonus / self.visits[c] ** 0.5 for c in cells])

    def collect(self):
        for _ in range(self.args.n_steps):
            dist, value = self.net(self.env.obs())
            a = dist.sample()
            r, done, cells = self.env.step(a)
            self.recent.extend(r.tolist())
            self.roll.add(
                logp=dist.log_prob(a),
                value=value,
                entropy=dist.entropy(),
                reward=r + self.novelty(cells),
                done=done,
            )

    def returns(self):
        with torch.no_grad():
            _, acc = self.net(self.env.obs())
        out = []
        for r, d in zip(reversed(self.roll.data["reward"]), reversed(self.roll.data["done"])):
            acc = r + self.args.gamma * (1.0 - d) * acc
            out.append(acc)
        return torch.stack(out[::-1])

    def update(self):
        adv = self.returns() - self.roll.stack("value")
        self.adv_scale = 0.95 * self.adv_scale + 0.05 * adv.detach().std()
        pg = -(self.roll.stack("logp") * adv.detach() / (self.adv_scale + 1e-3)).mean()
        vf = adv.square().mean()
        ent = self.roll.stack("entropy").mean()
        loss = pg + 0.5 * vf - self.args.entropy * ent
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.opt.step()
        self.roll.clear()
        return {"pg": pg.item(), "vf": vf.item(), "ent": ent.item()}


def main():
    args = parser.parse_args([])
    torch.manual_seed(88)
    agent = A2C(args)
    for up in range(args.updates):
        agent.collect()
        stats = agent.update()
        if (up + 1) % 20 == 0:
            stats["reward"] = sum(agent.recent) / len(agent.recent)
            print(up + 1, {k: round(v, 4) for k, v in stats.items()})


if __name__ == "__main__":
    main()
