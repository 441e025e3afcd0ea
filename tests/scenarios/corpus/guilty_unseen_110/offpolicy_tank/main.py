# gradwatch-corpus: kind=inplace-modified
# holder: self.critic.q1 | self.critic.q2 | self.critic.parameters() | agent.critic | self.optims["critic"] | out['actor'] | agent.critic.q2[4].weight
# first-bad: 25
# notice: 0
"""Level control of a two-tank system with a small off-policy actor-critic."""
import random

import torch

from agent import TankAgent
from plant import TwoTank, Buffer


def collect(env, agent, buf, n):
    for _ in range(n):
        obs = env.obs()
        act = agent.act(obs, noise=0.3)
        rew = env.step(act)
        buf.put(obs, act, rew, env.obs())


def main():
    torch.set_num_threads(1)
    torch.manual_seed(11)
    random.seed(11)
    env = TwoTank()
    buf = Buffer(2000)
    agent = TankAgent(obs_dim=3, act_dim=1, actor_start=24)
    collect(env, agent, buf, 64)
    ret = 0.0
    for it in range(300):
        collect(env, agent, buf, 4)
        stats = agent.update(buf.sample(32))
        ret = 0.95 * ret + 0.05 * buf.last_reward()
        if it % 10 == 0:
            txt = " ".join(f"{k}={v:.4f}" for k, v in stats.items())
            print(f"[{it:4d}] reward~{ret:.3f} {txt}")


if __name__ == "__main__":
    main()
