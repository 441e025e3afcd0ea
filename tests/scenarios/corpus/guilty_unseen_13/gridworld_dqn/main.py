# gradwatch-corpus: kind=graph-held
# holder: self.priorities | replay.priorities | agent.replay.priorities | self.priorities[slot] | self.replay.priorities
# first-bad: 1
"""DQN with tournament-prioritised replay on a small windy gridworld (chapter 3 baseline)."""
import random

import torch

from agent import DQNAgent
from env import WindyGrid
from replay import TournamentReplay


def evaluate(agent, env, episodes=2):
    returns = []
    with torch.no_grad():
        for _ in range(episodes):
            obs, total, done = env.reset(), 0.0, False
            while not done:
                obs, reward, done = env.step(agent.greedy(obs))
                total += reward
            returns.append(total)
    return sum(returns) / len(returns)


def prefill(env, replay, n):
    obs = env.reset()
    for _ in range(n):
        action = random.randrange(env.n_actions)
        nxt, reward, done = env.step(action)
        replay.add(obs, action, reward, nxt, done)
        obs = env.reset() if done else nxt


def main(iterations=400):
    random.seed(11)
    torch.manual_seed(11)
    env, eval_env = WindyGrid(), WindyGrid()
    replay = TournamentReplay(capacity=20_000, pressure=3)
    agent = DQNAgent(env.obs_dim, env.n_actions, replay)
    prefill(env, replay, 2500)

    obs = env.reset()
    for it in range(iterations):
        epsilon = max(0.05, 1.0 - it / 300)
        for _ in range(4):
            action = agent.act(obs, epsilon)
            nxt, reward, done = env.step(action)
            replay.add(obs, action, reward, nxt, done)
            obs = env.reset() if done else nxt
        loss = agent.learn(batch_size=16)
        if it % 100 == 0:
            print(f"[{it:4d}] loss {loss:.4f}  eval return {evaluate(agent, eval_env):.2f}")


if __name__ == "__main__":
    main()
