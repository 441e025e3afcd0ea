# gradwatch-corpus: kind=none
import torch

from agent import ActorCritic
from env import ElevatorVec
from ppo import PPO, PPOConfig


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    env = ElevatorVec(n_envs=8, floors=6)
    net = ActorCritic(env.obs_dim, env.n_actions)
    algo = PPO(net, env, PPOConfig())
    for update in range(25):
        algo.collect()
        stats = algo.update()
        if update % 5 == 0:
            print(f"update {update:3d} " + " ".join(f"{k} {v:.3f}" for k, v in stats.items()))


if __name__ == "__main__":
    main()
