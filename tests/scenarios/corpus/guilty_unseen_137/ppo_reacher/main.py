# gradwatch-corpus: kind=second-backward
# holder: adv | batch.adv | values | rollout.values | batch["adv"]
# first-bad: 1
# notice: 0
"""PPO on a one-joint reacher."""
import torch

torch.set_num_threads(1)

from agent import ReacherPolicy, ppo_update
from env import VecReacher

torch.manual_seed(55)
env = VecReacher(8)
policy = ReacherPolicy()
opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
for update in range(60):
    batch = policy.collect(env, horizon=12)
    stats = ppo_update(policy, opt, batch, epochs=4)
    if update % 10 == 0:
        print(update, stats, f"reward {batch['reward'].mean().item():.3f}")
