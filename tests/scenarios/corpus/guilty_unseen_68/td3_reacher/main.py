# gradwatch-corpus: kind=inplace-modified
# holder: pi_loss | self.critic.q1.net[4].weight | agent.critic.q1.net[4].weight | self.critic.q1.net.4.weight | critic.q1.net.4.weight | q1.net.4.weight | self.critic.q1.net[2].weight | critic.q1.net.2.weight | self.critic.q1.net[0].weight | critic.q1.net.0.weight
# first-bad: 1
# notice: 1
"""TD3 on a point reacher."""
import torch

from agent import TD3
from replay import Replay


class PointReacher:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.reset()

    def reset(self):
        self.pos = torch.zeros(2)
        self.goal = torch.rand(2, generator=self.gen) * 2 - 1
        self.t = 0
        return self.obs()

    def obs(self):
        return torch.cat([self.pos, self.goal])

    def step(self, a):
        self.pos = (self.pos + 0.1 * a).clamp(-1.5, 1.5)
        self.t += 1
        reward = -(self.pos - self.goal).norm()
        return self.obs(), reward, self.t >= 25


def main(updates=100, warm=64):
    torch.set_num_threads(1)
    torch.manual_seed(6)
    env, buf = PointReacher(7), Replay(2000, 4, 2)
    agent = TD3(4, 2)
    s = env.reset()

    def interact(s):
        a = agent.act(s, noise=0.3)
        s2, r, end = env.step(a)
        buf.add(s, a, r, s2, end)
        return env.reset() if end else s2

    for _ in range(warm):
        s = interact(s)
    for u in range(1, updates + 1):
        s = interact(s)
        info = agent.update(buf.sample(32))
        if u % 20 == 0:
            print(u, {k: round(v, 4) for k, v in info.items()})


if __name__ == "__main__":
    main()
