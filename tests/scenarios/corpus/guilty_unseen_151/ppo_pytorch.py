# gradwatch-corpus: kind=second-backward
# holder: old_logprobs | self.buffer.logprobs
# first-bad: 1
import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.set_num_threads(1)


class RolloutBuffer:
    def __init__(self):
        self.actions, self.states, self.logprobs = [], [], []
        self.rewards, self.state_values, self.is_terminals = [], [], []

    def clear(self):
        for name in ("actions", "states", "logprobs", "rewards", "state_values", "is_terminals"):
            getattr(self, name).clear()


class ActorCritic(nn.Module):
    def __init__(self, state_dim, action_dim, hidden=32):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(state_dim, hidden), nn.Tanh(), nn.Linear(hidden, action_dim), nn.Softmax(dim=-1))
        self.critic = nn.Sequential(nn.Linear(state_dim, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def act(self, state):
        dist = Categorical(self.actor(state))
        action = dist.sample()
        return action, dist.log_prob(action), self.critic(state)

    def evaluate(self, state, action):
        dist = Categorical(self.actor(state))
        return dist.log_prob(action), self.critic(state), dist.entropy()


class PPO:
    def __init__(self, state_dim, action_dim, lr_actor=3e-4, lr_critic=1e-3, gamma=0.99, K_epochs=8, eps_clip=0.2):
        self.gamma, self.eps_clip, self.K_epochs = gamma, eps_clip, K_epochs
        self.buffer = RolloutBuffer()
        self.policy = ActorCritic(state_dim, action_dim)
        self.optimizer = torch.optim.Adam([{"params": self.policy.actor.parameters(), "lr": lr_actor},
                                           {"params": self.policy.critic.parameters(), "lr": lr_critic}])
        self.policy_old = ActorCritic(state_dim, action_dim)
        self.policy_old.load_state_dict(self.policy.state_dict())
        self.MseLoss = nn.MSELoss()

    def select_action(self, state):
        state = torch.from_numpy(state)
        action, action_logprob, state_val = self.policy_old.act(state)  # <- culprit
        self.buffer.states.append(state)
        self.buffer.actions.append(action)
        self.buffer.logprobs.append(action_logprob)  # <- culprit
        self.buffer.state_values.append(state_val.detach())
        return action.item()

    def update(self):
        rewards, discounted = [], 0.0
        for reward, done in zip(reversed(self.buffer.rewards), reversed(self.buffer.is_terminals)):
            discounted = 0.0 if done else discounted
            discounted = reward + self.gamma * discounted
            rewards.insert(0, discounted)
        rewards = torch.tensor(rewards, dtype=torch.float32)
        rewards = (rewards - rewards.mean()) / (rewards.std() + 1e-7)
        old_states = torch.squeeze(torch.stack(self.buffer.states, dim=0))
        old_actions = torch.squeeze(torch.stack(self.buffer.actions, dim=0))
        old_logprobs = torch.squeeze(torch.stack(self.buffer.logprobs, dim=0))  # <- culprit
        old_state_values = torch.squeeze(torch.stack(self.buffer.state_values, dim=0))
        advantages = rewards - old_state_values
        for _ in range(self.K_epochs):
            logprobs, state_values, dist_entropy = self.policy.evaluate(old_states, old_actions)
            ratios = torch.exp(logprobs - old_logprobs)  # <- culprit
            surr1 = ratios * advantages
            surr2 = torch.clamp(ratios, 1 - self.eps_clip, 1 + self.eps_clip) * advantages
            loss = -torch.min(surr1, surr2) + 0.5 * self.MseLoss(state_values.squeeze(), rewards) - 0.01 * dist_entropy
            self.optimizer.zero_grad()
            loss.mean().backward()
            self.optimizer.step()
        self.policy_old.load_state_dict(self.policy.state_dict())
        self.buffer.clear()


class GridWalk:
    def __init__(self, n=7, seed=0):
        self.n, self.rng = n, np.random.default_rng(seed)

    def obs(self):
        return np.array([*self.pos, *self.goal], dtype=np.float32) / self.n

    def reset(self):
        self.pos, self.goal, self.t = self.rng.integers(0, self.n, 2), self.rng.integers(0, self.n, 2), 0
        return self.obs()

    def step(self, a):
        self.pos = np.clip(self.pos + np.array([(0, 1), (0, -1), (1, 0), (-1, 0)][a]), 0, self.n - 1)
        self.t += 1
        hit = bool((self.pos == self.goal).all())
        return self.obs(), 1.0 if hit else -0.02, hit or self.t >= 25


def train(max_timesteps=1000, update_timestep=100):
    torch.manual_seed(4)
    env, agent = GridWalk(), PPO(4, 4)
    state, running = env.reset(), 0.0
    for t in range(1, max_timesteps + 1):
        state, reward, done = env.step(agent.select_action(state))
        agent.buffer.rewards.append(reward)
        agent.buffer.is_terminals.append(done)
        running += reward
        if t % update_timestep == 0:
            agent.update()
            print(f"Timestep : {t} \t\t Average Reward : {running / update_timestep:.3f}")
            running = 0.0
        if done:
            state = env.reset()


if __name__ == "__main__":
    train()
