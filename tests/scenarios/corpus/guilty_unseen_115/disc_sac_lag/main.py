# gradwatch-corpus: kind=graph-held
# holder: buffer.storage | self.storage | agent.buffer.storage
# first-bad: 1
# notice: 8
"""Discrete soft actor-critic on a windy corridor, with a policy-lag diagnostic.

We look at how far the policy moves away from the behaviour that filled the buffer
(Fig. 4 in the paper), so every transition also carries the behaviour log-prob.
"""
import math
import random

import numpy as np
import torch

from agent import DiscreteSAC
from buffer import ReplayBuffer, Transition
from corridor import WindyCorridor

CFG = dict(seed=3, start_steps=80, updates=420, batch=32, gamma=0.97, alpha=0.05, lr=2e-3, report=60)


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def prefill(env, buffer, n):
    """Uniform random behaviour."""
    obs = env.reset()
    logp = torch.tensor(-math.log(env.n_actions))
    for _ in range(n):
        a = random.randrange(env.n_actions)
        nxt, rew, done = env.step(a)
        buffer.add(Transition(obs, a, rew, nxt, done, logp))
        obs = env.reset() if done else nxt
    return obs


def main():
    set_seed(CFG["seed"])
    torch.set_num_threads(1)
    env = WindyCorridor(width=9, seed=CFG["seed"])
    buffer = ReplayBuffer()
    agent = DiscreteSAC(env.obs_dim, env.n_actions, CFG, buffer)

    obs = prefill(env, buffer, CFG["start_steps"])
    ep_ret, returns = 0.0, []
    for it in range(CFG["updates"]):
        action, logp = agent.act(obs)
        nxt, rew, done = env.step(action)
        buffer.add(Transition(obs, action, rew, nxt, done, logp))  # <- culprit
        ep_ret += rew
        obs = nxt
        if done:
            returns.append(ep_ret)
            obs, ep_ret = env.reset(), 0.0

        info = agent.update(CFG["batch"])

        if (it + 1) % CFG["report"] == 0:
            recent = np.mean(returns[-10:]) if returns else float("nan")
            print(f"[{it + 1:4d}] q {info['q']:.4f}  pi {info['pi']:.4f}  H {info['ent']:.3f}  "
                  f"ret {recent:.2f}  lag {agent.policy_lag(64):.4f}")


if __name__ == "__main__":
    main()
