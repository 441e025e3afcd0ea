# gradwatch-corpus: kind=second-backward
# first-bad: 1
import math
import random

import torch

from ppo import PPO


class Balance:
    """Inverted pendulum, push left or right."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.th = random.uniform(-0.05, 0.05)
        self.om = random.uniform(-0.05, 0.05)
        self.t = 0
        return [self.th, self.om]

    def step(self, action):
        force = 2.0 if action == 1 else -2.0
        acc = 9.8 * math.sin(self.th) + force * math.cos(self.th)
        self.om += 0.02 * acc
        self.th += 0.02 * self.om
        self.t += 1
        done = abs(self.th) > 0.3 or self.t >= 100
        return [self.th, self.om], 1.0, done


def train():
    random.seed(0)
    torch.manual_seed(0)
    env = Balance()
    agent = PPO(2, 2)
    max_updates = 110
    update_timestep = 40
    state = env.reset()
    ep_reward, ep_rewards = 0.0, []
    for update in range(max_updates):
        for _ in range(update_timestep):
            action = agent.select_action(state)
            state, reward, done = env.step(action)
            agent.buffer.rewards.append(reward)
            agent.buffer.is_terminals.append(done)
            ep_reward += reward
            if done:
                ep_rewards.append(ep_reward)
                ep_reward = 0.0
                state = env.reset()
        agent.update()
        if update % 10 == 0 and ep_rewards:
            print(f"update {update} avg reward {sum(ep_rewards[-10:]) / len(ep_rewards[-10:]):.1f}")


if __name__ == "__main__":
    train()
