# gradwatch-corpus: kind=graph-chain
# holder: self.target_params | agent.target_params
# first-bad: 1
import random

import numpy as np
import torch

from agent import DQNAgent
from env import KeyDoorEnv

SEED = 7
random.seed(SEED)
np.random.seed(SEED)
torch.manual_seed(SEED)
torch.set_num_threads(1)

NUM_STEPS = 220
WARMUP = 64
BATCH_SIZE = 32
EPS_START = 1.0
EPS_END = 0.1
EPS_DECAY = 120


def epsilon_at(step):
    return EPS_END + (EPS_START - EPS_END) * np.exp(-step / EPS_DECAY)


if __name__ == "__main__":
    env = KeyDoorEnv(size=5)
    agent = DQNAgent(env.obs_dim, env.n_actions)
    scores = []
    score = 0.0
    state = env.reset()

    for step in range(NUM_STEPS):
        action = agent.act(state, epsilon_at(step))
        next_state, reward, done = env.step(action)
        agent.memory.push(state, action, reward, next_state, done)
        score += reward
        state = next_state
        if done:
            scores.append(score)
            score = 0.0
            state = env.reset()

        if len(agent.memory) < WARMUP:
            continue
        td_loss = agent.learn(BATCH_SIZE)

        if step % 40 == 0:
            last = np.mean(scores[-10:]) if scores else 0.0
            print(f"step {step:4d}  eps {epsilon_at(step):.2f}  td {td_loss:.4f}  score(10) {last:.2f}")

    print("episodes:", len(scores))
