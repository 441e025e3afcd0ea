# gradwatch-corpus: kind=graph-held
# holder: self.stats["entropy"] | agent.stats["entropy"] | self.stats | agent.stats
# first-bad: 1
import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical


class GridWorld:
    MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]

    def __init__(self, n=5, max_steps=15, seed=0):
        self.n, self.max_steps = n, max_steps
        self.rng = np.random.RandomState(seed)

    def _obs(self):
        o = np.zeros((2, self.n, self.n), dtype=np.float32)
        o[0][self.pos] = 1
        o[1][self.goal] = 1
        return torch.from_numpy(o.ravel())

    def reset(self):
        self.t = 0
        self.pos = tuple(self.rng.randint(0, self.n, 2))
        self.goal = tuple(self.rng.randint(0, self.n, 2))
        return self._obs()

    def step(self, a):
        dx, dy = self.MOVES[a]
        self.pos = (min(max(self.pos[0] + dx, 0), self.n - 1), min(max(self.pos[1] + dy, 0), self.n - 1))
        self.t += 1
        done = self.pos == self.goal
        return self._obs(), (1.0 if done else -0.05), done or self.t >= self.max_steps


class PolicyWithBaseline(nn.Module):
    def __init__(self, obs_dim, n_act, hidden=64):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, n_act)
        self.v = nn.Linear(hidden, 1)

    def forward(self, o):
        h = self.body(o)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class ReinforceAgent:
    def __init__(self, env, gamma=0.97, lr=3e-3, ent_coef=0.01):
        self.env = env
        self.net = PolicyWithBaseline(2 * env.n * env.n, 4)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.gamma, self.ent_coef = gamma, ent_coef
        self.stats = {"return": [], "entropy": [], "length": []}
        self._clear()

    def _clear(self):
        self.logps, self.values, self.ents, self.rewards = [], [], [], []

    def run_episode(self):
        obs, done = self.env.reset(), False
        while not done:
            dist, v = self.net(obs)
            a = dist.sample()
            self.logps.append(dist.log_prob(a))
            self.values.append(v)
            self.ents.append(dist.entropy())
            obs, r, done = self.env.step(a.item())
            self.rewards.append(r)

    def returns(self):
        out, g = [], 0.0
        for r in reversed(self.rewards):
            g = r + self.gamma * g
            out.insert(0, g)
        return torch.tensor(out)

    def finish_episode(self):
        ret = self.returns()
        values = torch.stack(self.values)
        adv = ret - values.detach()
        entropy = torch.stack(self.ents).mean()
        loss = -(torch.stack(self.logps) * adv).mean() + 0.5 * (ret - values).pow(2).mean() - self.ent_coef * entropy
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.stats["return"].append(sum(self.rewards))
        self.stats["entropy"].append(entropy)  # <- culprit
        self.stats["length"].append(len(self.rewards))
        self._clear()


if __name__ == "__main__":
    torch.manual_seed(5)
    agent = ReinforceAgent(GridWorld())
    for ep in range(180):
        agent.run_episode()
        agent.finish_episode()
        if (ep + 1) % 60 == 0:
            s = agent.stats
            print("ep %d return %.3f entropy %.3f len %.1f" % (
                ep + 1, np.mean(s["return"][-60:]), float(sum(s["entropy"][-60:]) / 60), np.mean(s["length"][-60:])))
