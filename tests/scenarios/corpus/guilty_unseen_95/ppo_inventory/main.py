# gradwatch-corpus: kind=second-backward
# holder: self.values | buffer.values | self.buffer.values | adv | batch["adv"] | batch['adv'] | value
# first-bad: 1
# notice: 0
"""PPO for a single-item inventory problem (order quantity per day)."""
import torch

from agent import PPOAgent
from warehouse import WarehouseEnv


def main():
    torch.set_num_threads(1)
    torch.manual_seed(9)
    env = WarehouseEnv(n=8)
    agent = PPOAgent(env.obs_dim, env.n_actions)
    obs = env.reset()
    for update in range(80):
        obs = agent.collect(env, obs, horizon=16)
        stats = agent.update(epochs=4)
        if update % 10 == 0:
            print(f"update {update:3d}  reward {stats['reward']:.3f}  pi {stats['pi']:.4f}  v {stats['v']:.4f}")


if __name__ == "__main__":
    main()
