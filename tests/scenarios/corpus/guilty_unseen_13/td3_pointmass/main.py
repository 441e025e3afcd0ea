# gradwatch-corpus: kind=inplace-modified
# first-bad: 1
"""TD3 on a point mass which has to be brought to rest at the origin; delayed policy updates,
target smoothing, no frills."""
import torch

from learner import TD3
from memory import RingMemory


class PointMass:
    def __init__(self, generator, horizon=60):
        self.g, self.horizon = generator, horizon

    def reset(self):
        self.x = 2 * torch.rand(2, generator=self.g) - 1
        self.v = torch.zeros(2)
        self.t = 0
        return torch.cat([self.x, self.v])

    def step(self, a):
        self.v = 0.9 * self.v + 0.1 * a
        self.x = (self.x + self.v).clamp(-2, 2)
        self.t += 1
        reward = -(self.x.square().sum() + 0.05 * a.square().sum()).item()
        return torch.cat([self.x, self.v]), reward, self.t >= self.horizon


def collect(env, obs, policy, memory, steps):
    for _ in range(steps):
        a = policy(obs)
        nxt, r, done = env.step(a)
        memory.push(obs, a, r, nxt)
        obs = env.reset() if done else nxt
    return obs


def main(updates=300):
    torch.manual_seed(1)
    g = torch.Generator().manual_seed(1)
    env = PointMass(g)
    memory = RingMemory(4000, obs_dim=4, act_dim=2)
    td3 = TD3(obs_dim=4, act_dim=2)
    obs = collect(env, env.reset(), lambda o: 2 * torch.rand(2, generator=g) - 1, memory, 200)
    for i in range(updates):
        obs = collect(env, obs, td3.explore, memory, 2)
        stats = td3.update(memory.sample(64, g))
        if i % 50 == 0:
            print(i, {k: round(v, 4) for k, v in stats.items()})


if __name__ == "__main__":
    main()
