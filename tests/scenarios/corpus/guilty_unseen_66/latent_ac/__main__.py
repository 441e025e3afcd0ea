# gradwatch-corpus: kind=inplace-modified
# holder: agent.critic | agent.critic.net | self.critic | critic | agent.critic.net[2].weight | self.critic.net[2].weight | agent.critic.net[4].weight | self.critic.net[4].weight | losses["actor"] | losses | loss | self.opts["critic"] | opt
# first-bad: 0
# notice: 2
import torch

from .agent import LatentAgent
from .engine import Engine
from .env import PointMass, ReplayBuffer

torch.set_num_threads(1)


def warm(env, buffer, steps=40):
    s = env.reset()
    for _ in range(steps):
        a = torch.rand(env.n, 2) * 2 - 1
        s2, r = env.step(a)
        buffer.add(s, a, r, s2)
        s = s2


if __name__ == "__main__":
    torch.manual_seed(13)
    env, buffer = PointMass(n=16), ReplayBuffer(capacity=4000)
    warm(env, buffer)
    agent = LatentAgent(obs=4, act=2, latent=16)
    engine = Engine(agent, lrs={"world": 3e-3, "critic": 1e-3, "actor": 3e-4})
    obs = env.obs()
    for it in range(80):
        with torch.no_grad():
            act = (agent.act(obs) + 0.2 * torch.randn(env.n, 2)).clamp(-1, 1)
        nxt, rew = env.step(act)
        buffer.add(obs, act, rew, nxt)
        obs = nxt if (it + 1) % 25 else env.reset()
        logs = engine.update(buffer.sample(128))
        if it % 10 == 0:
            print(it, {k: round(v, 4) for k, v in logs.items()})
