# gradwatch-corpus: kind=none
# PPO continuous, GAE. tank level control with a valve
import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Normal
torch.set_num_threads(1)
torch.manual_seed(6)
np.random.seed(6)


class Tank:
    def reset(self):
        self.h, self.sp, self.t = np.random.rand(), np.random.rand(), 0
        return np.array([self.h, self.sp], dtype=np.float32)

    def step(self, u):
        self.h = float(np.clip(self.h + 0.1 * np.tanh(u) - 0.02 * np.sqrt(max(self.h, 0)), 0, 2))
        self.t += 1
        return np.array([self.h, self.sp], dtype=np.float32), -abs(self.h - self.sp), self.t >= 32


class ActorCritic(nn.Module):
    def __init__(self, num_inputs, num_outputs, hidden_size, std=-0.5):
        super().__init__()
        self.critic = nn.Sequential(nn.Linear(num_inputs, hidden_size), nn.Tanh(), nn.Linear(hidden_size, 1))
        self.actor = nn.Sequential(nn.Linear(num_inputs, hidden_size), nn.Tanh(), nn.Linear(hidden_size, num_outputs))
        self.log_std = nn.Parameter(torch.ones(1, num_outputs) * std)

    def forward(self, x):
        return Normal(self.actor(x), self.log_std.exp().expand(len(x), -1)), self.critic(x)


def compute_gae(next_value, rewards, masks, values, gamma=0.97, tau=0.95):
    values = values + [next_value]
    gae, returns = 0, []
    for step in reversed(range(len(rewards))):
        delta = rewards[step] + gamma * values[step + 1] * masks[step] - values[step]
        gae = delta + gamma * tau * masks[step] * gae
        returns.insert(0, gae + values[step])
    return returns


def ppo_iter(mini, *arrays):
    n = len(arrays[0])
    for _ in range(n // mini):
        ids = np.random.randint(0, n, mini)
        yield tuple(a[ids] for a in arrays)


model = ActorCritic(2, 1, 24)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
env = Tank()
for it in range(40):
    log_probs, values, states, actions, rewards, masks = [], [], [], [], [], []
    s, done = env.reset(), False
    while not done:
        state = torch.from_numpy(s).unsqueeze(0)
        dist, value = model(state)
        action = dist.sample()
        s, r, done = env.step(action.item())
        log_probs.append(dist.log_prob(action).detach())
        values.append(value.detach())
        rewards.append(torch.tensor([[r]], dtype=torch.float32))
        masks.append(1 - float(done))
        states.append(state)
        actions.append(action)
    with torch.no_grad():
        _, nv = model(torch.from_numpy(s).unsqueeze(0))
    returns = torch.cat(compute_gae(nv, rewards, masks, values))
    log_probs, values, states, actions = map(torch.cat, (log_probs, values, states, actions))
    advantage = returns - values
    for _ in range(4):
        for st, ac, olp, ret, adv in ppo_iter(8, states, actions, log_probs, returns, advantage):
            dist, value = model(st)
            ratio = (dist.log_prob(ac) - olp).exp()
            actor_loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
            critic_loss = (ret - value).pow(2).mean()
            loss = 0.5 * critic_loss + actor_loss - 0.001 * dist.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    if it % 10 == 0:
        print(it, 'return', float(sum(rewards)))
