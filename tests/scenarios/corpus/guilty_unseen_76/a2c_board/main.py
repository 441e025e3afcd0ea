# gradwatch-corpus: kind=graph-held
# holder: self.rows | self.rows[tag] | self.writer.rows | agent.writer.rows | board.rows | rows | board.rows['policy/entropy']
# first-bad: 1
# notice: 8
import random

import torch

from agent import A2C
from board import Board
from env import Corridor

torch.set_num_threads(1)


def rollout(agent, env, state, horizon):
    batch = {"obs": [], "act": [], "rew": [], "done": []}
    for _ in range(horizon):
        action = agent.act(state)
        nxt, reward, done = env.step(action)
        batch["obs"].append(state)
        batch["act"].append(action)
        batch["rew"].append(reward)
        batch["done"].append(done)
        state = env.reset() if done else nxt
    return batch, state


def main(updates=150, horizon=24):
    torch.manual_seed(0)
    random.seed(0)
    env = Corridor()
    board = Board()
    agent = A2C(env.n_obs, env.n_act, writer=board)
    state = env.reset()
    for upd in range(updates):
        batch, state = rollout(agent, env, state, horizon)
        agent.update(batch, state, upd)
        board.add_scalar("rollout/reward", sum(batch["rew"]) / horizon, upd)
    board.close()


if __name__ == "__main__":
    main()
