# gradwatch-corpus: kind=none
"""A picker robot in a small warehouse learns by Q-learning from rendered floor plans."""
import torch

from agent.learner import Learner
from agent.memory import Memory
from agent.warehouse import Warehouse

STEPS = 420
BURN_IN = 16


def main():
    torch.set_num_threads(1)
    torch.manual_seed(14)
    env = Warehouse(seed=14)
    memory = Memory(capacity=640, seed=14)
    learner = Learner(n_actions=4, lr=1e-3)

    obs, returns, current = env.reset(), [], 0.0
    for step in range(-BURN_IN, STEPS):
        eps = max(0.1, 1.0 - step / 300)
        for _ in range(8):
            act = learner.act(obs, eps, env.rng)
            nxt, reward, done = env.move(act)
            memory.add(obs, act, reward, nxt, done)
            current += reward
            obs = nxt
            if done:
                returns.append(current)
                obs, current = env.reset(), 0.0
        if step < 0:
            continue
        loss = learner.learn(memory.sample(16))
        if step % 20 == 0:
            learner.sync()
        if step % 70 == 69:
            recent = returns[-20:]
            print(f"{step + 1:4d} td {loss:.4f} return {sum(recent) / max(len(recent), 1):+.3f} "
                  f"stored {len(memory)} cached {env.pictures()}")


if __name__ == "__main__":
    main()
