# gradwatch-corpus: kind=none
import random

import torch

from .dqn import DQN
from .memory import ReplayMemory

LENGTH = 8


def encode(pos):
    v = torch.zeros(LENGTH)
    v[pos] = 1.0
    return v


def step(pos, action):
    pos = min(max(pos + (1 if action == 1 else -1), 0), LENGTH - 1)
    done = pos == LENGTH - 1
    return pos, (1.0 if done else -0.01), done


def main():
    torch.set_num_threads(1)
    torch.manual_seed(6)
    random.seed(6)
    agent, memory = DQN(LENGTH, 2), ReplayMemory(400)
    losses, eps = [], 1.0
    for episode in range(40):
        pos, total = 0, 0.0
        for _ in range(30):
            s = encode(pos)
            a = agent.act(s, eps)
            pos, r, done = step(pos, a)
            memory.push(s, a, r, encode(pos), done)
            total += r
            if len(memory) >= 64:
                losses.append(agent.learn(memory.sample(32)))
            if done:
                break
        eps = max(0.05, eps * 0.92)
        if episode % 10 == 0:
            print(episode, f"return {total:.2f} updates {len(losses)}")


main()
