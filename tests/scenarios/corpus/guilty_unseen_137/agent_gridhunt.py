# gradwatch-corpus: kind=graph-held
# holder: self.memory | agent.memory | self.memory[i].baseline | agent.memory[i].baseline
# first-bad: 1
# notice: 8
import random
from collections import deque, namedtuple

import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)

Step = namedtuple("Step", "obs action reward baseline")


class GridHunt:
    size = 5

    def reset(self):
        self.me = [random.randrange(self.size) for _ in range(2)]
        self.prey = [random.randrange(self.size) for _ in range(2)]
        self.t = 0
        return self.obs()

    def obs(self):
        return torch.tensor([*self.me, *self.prey], dtype=torch.float32) / self.size

    def step(self, a):
        dx, dy = [(0, 1), (0, -1), (1, 0), (-1, 0)][a]
        self.me[0] = min(max(self.me[0] + dx, 0), self.size - 1)
        self.me[1] = min(max(self.me[1] + dy, 0), self.size - 1)
        self.t += 1
        hit = self.me == self.prey
        return self.obs(), 1.0 if hit else -0.05, hit or self.t >= 8


class Agent:
    def __init__(self):
        self.trunk = nn.Sequential(nn.Linear(4, 24), nn.Tanh())
        self.pi, self.v = nn.Linear(24, 4), nn.Linear(24, 1)
        self.params = [*self.trunk.parameters(), *self.pi.parameters(), *self.v.parameters()]
        self.opt = torch.optim.Adam(self.params, lr=4e-3)
        self.memory = deque(maxlen=200_000)

    def play(self, env):
        obs, over, episode, logps = env.reset(), False, [], []
        while not over:
            z = self.trunk(obs)
            dist = Categorical(logits=self.pi(z))
            a = dist.sample()
            nxt, r, over = env.step(int(a))
            episode.append(Step(obs, int(a), r, self.v(z).squeeze()))  # <- culprit
            logps.append(dist.log_prob(a))
            obs = nxt
        return episode, torch.stack(logps)

    def learn(self, episode, logps):
        ret, returns = 0.0, []
        for s in reversed(episode):
            ret = s.reward + 0.95 * ret
            returns.insert(0, ret)
        returns = torch.tensor(returns)
        base = torch.stack([s.baseline for s in episode])
        adv = returns - base.detach()
        loss = -(logps * adv).mean() + 0.5 * (base - returns).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.memory.extend(episode)  # <- culprit
        return sum(s.reward for s in episode)

    def dream(self):
        """Mean return-per-step over random remembered steps, for the dashboard."""
        some = random.sample(self.memory, min(32, len(self.memory)))
        return sum(s.reward for s in some) / len(some), sum(float(s.baseline) for s in some) / len(some)


def main(episodes=350):
    random.seed(3)
    torch.manual_seed(3)
    env, agent = GridHunt(), Agent()
    for ep in range(episodes):
        score = agent.learn(*agent.play(env))
        if ep % 70 == 0:
            r, b = agent.dream()
            print(f"ep {ep:3d} score {score:+.2f} remembered r {r:+.3f} v {b:+.3f}")


main()
