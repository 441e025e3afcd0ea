import torch
import torch.nn as nn
from torch.distributions import Categorical


class RolloutBuffer:
    def __init__(self):
        self.actions = []
        self.states = []
        self.logprobs = []
        self.rewards = []
        self.is_terminals = []

    def clear(self):
        del self.actions[:]
        del self.states[:]
        del self.logprobs[:]
        del self.rewards[:]
        del self.is_terminals[:]


class ActorCritic(nn.Module):
    def __init__(self, state_dim, action_dim, n=32):
        super().__init__()
        self.actor = nn.Sequential(
            nn.Linear(state_dim, n), nn.Tanh(),
            nn.Linear(n, n), nn.Tanh(),
            nn.Linear(n, action_dim), nn.Softmax(dim=-1))
        self.critic = nn.Sequential(
            nn.Linear(state_dim, n), nn.Tanh(),
            nn.Linear(n, 1))

    def act(self, state):
        dist = Categorical(self.actor(state))
        action = dist.sample()
        return action, dist.log_prob(action)

    def evaluate(self, state, action):
        dist = Categorical(self.actor(state))
        return dist.log_prob(action), self.critic(state).squeeze(-1), dist.entropy()


class PPO:
    def __init__(self, state_dim, action_dim, lr=1e-3, gamma=0.99, K_epochs=4, eps_clip=0.2):
        self.gamma = gamma
        self.eps_clip = eps_clip
        self.K_epochs = K_epochs
        self.buffer = RolloutBuffer()
        self.policy = ActorCritic(state_dim, action_dim)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=lr)
        self.MseLoss = nn.MSELoss()

    def select_action(self, state):
        state = torch.tensor(state, dtype=torch.float32)
        action, action_logprob = self.policy.act(state)
        self.buffer.states.append(state)
        self.buffer.actions.append(action)
        self.buffer.logprobs.append(action_logprob)  # <- culprit
        return action.item()

    def returns(self):
        out, running = [], 0.0
        for reward, done in zip(reversed(self.buffer.rewards), reversed(self.buffer.is_terminals)):
            if done:
                running = 0.0
            running = reward + self.gamma * running
            out.insert(0, running)
        out = torch.tensor(out, dtype=torch.float32)
        return (out - out.mean()) / (out.std() + 1e-7)

    def update(self):
        rewards = self.returns()
        old_states = torch.stack(self.buffer.states)
        old_actions = torch.stack(self.buffer.actions)
        old_logprobs = torch.stack(self.buffer.logprobs)  # <- culprit
        for _ in range(self.K_epochs):
            logprobs, values, entropy = self.policy.evaluate(old_states, old_actions)
            ratios = torch.exp(logprobs - old_logprobs)
            advantages = rewards - values.detach()
            surr1 = ratios * advantages
            surr2 = torch.clamp(ratios, 1 - self.eps_clip, 1 + self.eps_clip) * advantages
            loss = -torch.min(surr1, surr2) + 0.5 * self.MseLoss(values, rewards) - 0.01 * entropy
            self.optimizer.zero_grad()
            loss.mean().backward()
            self.optimizer.step()
        self.buffer.clear()
