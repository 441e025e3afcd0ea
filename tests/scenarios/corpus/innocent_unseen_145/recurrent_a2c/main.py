# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(3)

from env import RecallEnv
from agent import LSTMAgent
from learner import Learner

envs = RecallEnv(num_envs=6, delay=4)
agent = LSTMAgent(obs_dim=3, hidden=16, n_actions=2)
learner = Learner(agent, rollout=5)

obs = envs.reset()
state = agent.initial_state(6)
scores = []
for update in range(450):
    obs, state, score, norms = learner.update(envs, obs, state)
    scores.append(score)
    if update % 90 == 89:
        print(update + 1, "reward", round(sum(scores[-90:]) / 90, 3), {k: round(v, 3) for k, v in norms.items()})
