# gradwatch-corpus: kind=graph-held
# holder: self.baseline | agent.baseline | agent.centre.level | self.level | centre.level
# first-bad: 1
# notice: 8
"""REINFORCE for docking a small boat against a current."""
import torch

torch.set_num_threads(1)

from .agent import DockAgent
from .sim import Dock

torch.manual_seed(9)
agent = DockAgent(state_dim=3)
env = Dock(boats=12, horizon=10)
for k in range(360):
    agent.learn(agent.episode(env))
print("level %.3f" % float(agent.centre.level))
