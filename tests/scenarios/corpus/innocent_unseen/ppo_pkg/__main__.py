# gradwatch-corpus: kind=none
import torch

from .agent import PPO
from .storage import RolloutStorage

torch.manual_seed(0)
agent, storage = PPO(obs_dim=7, n_act=3), RolloutStorage(steps=16, envs=8, obs_dim=7)
obs = torch.randn(8, 7)
for update in range(20):
    for _ in range(16):
        action, logp, value = agent.act(obs)
        nxt = 0.9 * obs + 0.1 * torch.randn_like(obs)
        nxt[:, 0] += 0.1 * (action - 1)
        storage.insert(obs, action, logp, value, 1 - nxt[:, 0].abs())
        obs = nxt
    storage.finish(agent.value(obs))
    stats = agent.update(storage)
    storage.reset()
    if update % 5 == 0:
        print(update, stats)
