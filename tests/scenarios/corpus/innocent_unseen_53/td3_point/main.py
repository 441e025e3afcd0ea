# gradwatch-corpus: kind=none
import numpy as np
import torch

from agent import TD3
from buffer import ReplayBuffer
from env import PointMass

SEED = 10
START_STEPS = 100
MAX_STEPS = 260
BATCH = 64


def evaluate(agent, seed, episodes=2):
    env = PointMass(seed + 100)
    total = 0.0
    for _ in range(episodes):
        s, done = env.reset(), False
        while not done:
            s, r, done = env.step(agent.select_action(s))
            total += r
    return total / episodes


def main():
    torch.manual_seed(SEED)
    np.random.seed(SEED)
    env = PointMass(SEED)
    agent = TD3(state_dim=4, action_dim=2)
    buffer = ReplayBuffer(capacity=200)
    scores, best_score = [], -float("inf")

    state, ep_return = env.reset(), 0.0
    for t in range(1, MAX_STEPS + 1):
        if t < START_STEPS:
            action = np.random.uniform(-1, 1, 2)
        else:
            action = agent.select_action(state)
            action = np.clip(action + np.random.normal(0, 0.1, 2), -1, 1)
        next_state, reward, done = env.step(action)
        buffer.push(state, action, reward, next_state, float(env.solved))
        state = next_state
        ep_return += reward
        if done:
            state, ep_return = env.reset(), 0.0

        if t >= START_STEPS:
            agent.train(buffer.sample(BATCH))
        if t % 40 == 0:
            score = evaluate(agent, SEED)
            scores.append(score)
            best_score = max(best_score, score)
            q1, pi = agent.log["critic"], agent.log["actor"]
            print("t %4d  eval %.2f  best %.2f  critic %s  actor %s" % (
                t, score, best_score,
                "-" if not q1 else "%.4f" % torch.stack(q1[-20:]).mean(),
                "-" if not pi else "%.4f" % pi[-1]))


if __name__ == "__main__":
    main()
