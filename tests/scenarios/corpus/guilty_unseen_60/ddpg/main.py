# gradwatch-corpus: kind=inplace-modified
# holder: self.critic.head.weight | agent.critic.head.weight | self.critic.fc2.weight | agent.critic.fc2.weight | actor_loss
# first-bad: 0
# notice: 1
"""DDPG on the pendulum. The replay memory is filled with random play before training."""
import argparse
import random

import torch

from agent import DDPG
from pendulum import Pendulum


def warm_up(env, agent, steps):
    obs = env.reset()
    for i in range(steps):
        u = [random.uniform(-env.max_torque, env.max_torque)]
        nxt, reward = env.step(u[0])
        agent.remember(obs, u, reward, nxt)
        obs = env.reset() if i % 100 == 99 else nxt


def train(env, agent, args):
    obs = env.reset()
    score = 0.0
    for step in range(args.steps):
        u = agent.act(obs)
        nxt, reward = env.step(u[0])
        agent.remember(obs, u, reward, nxt)
        obs = nxt
        score += reward
        critic_loss, actor_loss = agent.update(args.batch_size)
        if step % args.horizon == args.horizon - 1:
            print(f"step {step + 1}: score {score:.1f} critic {critic_loss:.3f} actor {actor_loss:.3f}")
            obs, score = env.reset(), 0.0


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=150)
    ap.add_argument("--horizon", type=int, default=50)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--seed", type=int, default=7)
    args = ap.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    random.seed(args.seed)

    env = Pendulum(args.seed)
    agent = DDPG(obs_dim=3, act_dim=1, limit=env.max_torque)
    warm_up(env, agent, 300)
    train(env, agent, args)


if __name__ == "__main__":
    main()
