# gradwatch-corpus: kind=graph-held
# holder: self.records["entropy"] | history.records["entropy"] | self.records | history.records | records
# first-bad: 1
# notice: 8
import random

import torch

from .agent import A2CAgent
from .callbacks import HistoryCallback
from .env import GridWalk


def rollout(env, agent):
    obs, done = env.reset(), False
    traj = ([], [], [])
    while not done:
        a = agent.act(obs)
        nxt, r, done = env.step(a)
        for lst, item in zip(traj, (obs, a, r)):
            lst.append(item)
        obs = nxt
    return traj


def main(episodes=120):
    torch.set_num_threads(1)
    torch.manual_seed(0)
    random.seed(0)
    env, agent = GridWalk(), A2CAgent()
    history = HistoryCallback(every=20)
    callbacks = [history]
    for _ in range(episodes):
        logs = agent.update(*rollout(env, agent))
        for cb in callbacks:
            cb.on_update(agent, logs)
    for cb in callbacks:
        cb.on_train_end(agent)
    print("best return", max(history.records["return"]))


main()
