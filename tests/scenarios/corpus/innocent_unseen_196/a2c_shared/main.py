# gradwatch-corpus: kind=none
import random
from collections import deque

import torch
from torch.distributions import Categorical

from model import ActorCritic


class Corridor:
    """n parallel corridors, the prize lies at the right end."""

    def __init__(self, n_envs, length=8):
        self.n, self.length = n_envs, length
        self.pos = torch.zeros(n_envs, dtype=torch.long)
        self.t = torch.zeros(n_envs, dtype=torch.long)

    def step(self, a):
        self.pos = (self.pos + 2 * a - 1).clamp(0, self.length - 1)
        self.t += 1
        win = self.pos == self.length - 1
        done = win | (self.t >= 25)
        reward = win.float() - 0.02
        self.pos[done] = 0
        self.t[done] = 0
        return self.pos.clone(), reward, done.float()


def compute_returns(next_value, rewards, masks, gamma=0.95):
    R = next_value
    returns = []
    for step in reversed(range(len(rewards))):
        R = rewards[step] + gamma * R * masks[step]
        returns.insert(0, R)
    return returns


def train(n_updates=450, n_steps=5, n_envs=8):
    env = Corridor(n_envs)
    model = ActorCritic(env.length, 2)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    state = env.pos.clone()
    recent = deque(maxlen=50)
    value_history = []
    for update in range(n_updates):
        log_probs, values, rewards, masks, entropy = [], [], [], [], 0
        for _ in range(n_steps):
            probs, value = model(state)
            dist = Categorical(probs)
            action = dist.sample()
            state, reward, done = env.step(action)
            log_probs.append(dist.log_prob(action))
            entropy += dist.entropy().mean()
            values.append(value)
            rewards.append(reward)
            masks.append(1 - done)
            recent.append(reward.mean())

        _, next_value = model(state)
        returns = torch.cat(compute_returns(next_value.detach(), rewards, masks))
        log_probs = torch.cat(log_probs)
        values = torch.cat(values)
        advantage = returns - values

        actor_loss = -(log_probs * advantage.detach()).mean() - 0.01 * entropy / n_steps
        critic_loss = 0.5 * advantage.pow(2).mean()
        optimizer.zero_grad()
        actor_loss.backward(retain_graph=True)
        critic_loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()

        value_history.append(values.detach().mean())
        if update % 75 == 0:
            print(f"update {update} reward {torch.stack(list(recent)).mean():.3f} "
                  f"value {value_history[-1]:.3f} actor {actor_loss.item():.4f} critic {critic_loss.item():.4f}")


if __name__ == "__main__":
    random.seed(0)
    torch.manual_seed(0)
    train()
