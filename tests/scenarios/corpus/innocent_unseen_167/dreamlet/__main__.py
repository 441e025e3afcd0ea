# gradwatch-corpus: kind=none
import torch

from .agent import Dreamer
from .memory import EpisodeMemory, Pendulumish

torch.set_num_threads(1)
torch.manual_seed(4)

env, memory = Pendulumish(), EpisodeMemory(capacity=12)
agent = Dreamer(env.obs_dim, env.act_dim)
for _ in range(3):
    memory.add(env.rollout(lambda obs, belief: (torch.rand(env.act_dim) * 2 - 1, belief), None))
scores, logs = [], []
for episode in range(8):
    for _ in range(6):
        logs.append(agent.update(*memory.sample(6, 10)))
    agent.belief_reset()
    traj = env.rollout(agent.act, agent.belief)
    memory.add(traj)
    scores.append(traj[2].sum().item())
    if episode % 2 == 1:
        print(f"episode {episode} return {scores[-1]:.2f} " + " ".join(f"{k} {v:.3f}" for k, v in logs[-1].items()))
