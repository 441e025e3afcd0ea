# gradwatch-corpus: kind=none
import random

import torch

from agent import DQNAgent
from env import Corridor


def run(seed=0, total_steps=900, learn_after=100):
    random.seed(seed)
    torch.manual_seed(seed)
    env = Corridor(length=12, seed=seed)
    agent = DQNAgent(env.obs_dim, env.n_actions)
    returns, q_means = [], []
    obs, ep_return = env.reset(), 0.0
    for t in range(total_steps):
        eps = max(0.05, 1.0 - t / 500)
        action = agent.act(obs, eps)
        nxt, reward, done = env.step(action)
        agent.replay.add(obs, action, reward, nxt, done)
        ep_return += reward
        obs = nxt
        if done:
            returns.append(ep_return)
            obs, ep_return = env.reset(), 0.0
        if t >= learn_after:
            info = agent.learn()
            q_means.append(info["q"])
            if t % 25 == 0:
                agent.hard_update()
        if t % 150 == 149 and returns:
            print(f"t={t + 1} episodes={len(returns)} return={sum(returns[-10:]) / len(returns[-10:]):.2f}")
    print("mean q", sum(q_means[-50:]) / 50)


if __name__ == "__main__":
    run()
