# gradwatch-corpus: kind=graph-held
# holder: self.mean | self.mean_sq | stats.mean | stats.mean_sq | agent.stats.mean | agent.stats.mean_sq | self.stats.mean | self.stats.mean_sq
# first-bad: 1
# notice: 8
# Kuhn poker, advantage actor critic against a fixed (slightly silly) opponent.
import random

import torch

from agent import A2CAgent
from kuhn import KuhnTable

torch.set_num_threads(1)
torch.manual_seed(3)
random.seed(3)

HANDS_PER_UPDATE = 16
UPDATES = 300


def play_batch(table, agent, n):
    obs, acts, rews = [], [], []
    for _ in range(n):
        o = table.deal()
        a = agent.act(o)
        r = table.play(a)
        obs.append(o)
        acts.append(a)
        rews.append(r)
    return torch.stack(obs), torch.tensor(acts), torch.tensor(rews)


if __name__ == "__main__":
    table = KuhnTable(bluff=0.33)
    agent = A2CAgent(table.obs_dim, n_actions=2)
    bank = 0.0
    for u in range(UPDATES):
        obs, acts, rews = play_batch(table, agent, HANDS_PER_UPDATE)
        info = agent.update(obs, acts, rews)
        bank += rews.sum().item()
        if u % 50 == 0:
            print(f"[{u:4d}] pi {info['pi']:+.4f}  v {info['v']:.4f}  H {info['ent']:.3f}  "
                  f"adv_std {info['adv_std']:.3f}  bankroll {bank:+.0f}")
    print("bankroll per hand:", round(bank / (UPDATES * HANDS_PER_UPDATE), 4))
