# gradwatch-corpus: kind=none
"""Recurrent Q-learning for level control of two coupled tanks. Stored recurrent
states, short unrolls from the replay, slowly moving target network."""
import random

import torch

from agent import Agent
from replay import Replay
from tanks import CoupledTanks

torch.set_num_threads(1)
torch.manual_seed(90)
random.seed(90)


def main(updates=320):
    env = CoupledTanks(lines=8)
    agent = Agent(obs_dim=3, actions=3)
    memory = Replay(capacity=200, unroll=4)
    obs, hidden = env.observe(), agent.net.blank(env.lines)
    reward_avg = torch.zeros(())

    done_updates = 0
    while done_updates < updates:
        q, new_hidden = agent.net(obs, hidden)
        act = agent.explore(q)
        nxt, rew = env.apply(act)
        memory.add(obs, act, rew, hidden.detach())
        obs, hidden = nxt, new_hidden.detach()
        reward_avg = 0.99 * reward_avg + 0.01 * rew.mean()
        if len(memory) < 30:
            continue
        agent.learn(memory.sample())
        done_updates += 1
        if done_updates % 64 == 0:
            print(
                f"{done_updates:4d} reward {reward_avg.item():+.3f} "
                f"td {agent.recent_td():.4f} eps {agent.eps:.2f} stored {len(memory)}"
            )


if __name__ == "__main__":
    main()
