# gradwatch-corpus: kind=graph-held
# holder: self.history["q_mean"] | agent.history["q_mean"]
# first-bad: 1
import random

import torch

from agent import DQNAgent
from env import GridWorld

SEED = 3
MAX_STEPS = 700


def main():
    random.seed(SEED)
    torch.manual_seed(SEED)
    env = GridWorld(seed=SEED)
    agent = DQNAgent(n_obs=3, n_act=4)
    scores = []
    obs, score = env.reset(), 0.0
    for t in range(MAX_STEPS):
        action = agent.act(obs)
        next_obs, reward, done = env.step(action)
        agent.remember(obs, action, reward, next_obs, done)
        agent.learn()
        score += reward
        obs = next_obs
        if done:
            scores.append(score)
            obs, score = env.reset(), 0.0
        if t % 100 == 99:
            h = agent.history
            print(f"step {t + 1} eps {agent.eps:.2f} loss {h['loss'][-1]:.4f} "
                  f"q {h['q_mean'][-1]:.3f} avg score {sum(scores[-20:]) / max(1, len(scores[-20:])):.3f}")
    q_curve = [v.item() for v in agent.history["q_mean"]]
    print("max mean q", max(q_curve))


if __name__ == "__main__":
    main()
