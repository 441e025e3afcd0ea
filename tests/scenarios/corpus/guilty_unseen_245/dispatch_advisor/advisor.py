import torch
from torch import nn
from torch.distributions import Categorical

from journal import Decision


class DispatchPolicy(nn.Module):
    def __init__(self, n_observed, n_levels=5, width=64):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_observed, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.levels = nn.Linear(width, n_levels)
        self.worth = nn.Linear(width, 1)

    def forward(self, observed):
        h = self.body(observed)
        return Categorical(logits=self.levels(h)), self.worth(h).squeeze(1)


class PolicyLearner:
    def __init__(self, policy, journal, lr, discount=0.9):
        self.policy = policy
        self.journal = journal
        self.discount = discount
        self.day = 0
        self.optimizer = torch.optim.Adam(policy.parameters(), lr=lr)

    def train_day(self, feeder, hours):
        feeder.start_day()
        log_probs = []
        values = []
        rewards = []
        entropy = 0.0
        for _ in range(hours):
            hour = feeder.hour
            dist, value = self.policy(feeder.observe())
            level = dist.sample()
            reward = feeder.act(level)
            log_probs.append(dist.log_prob(level))
            values.append(value)
            rewards.append(reward)
            entropy = entropy + dist.entropy().mean()
            decision = Decision(hour, level, value, reward)  # <- culprit
            self.journal.enter(self.day, decision)  # <- culprit
        loss = self.day_loss(log_probs, values, rewards) - 0.01 * entropy / hours
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.day += 1
        return -torch.stack(rewards).mean().item()

    def day_loss(self, log_probs, values, rewards):
        running = torch.zeros_like(rewards[-1])
        loss = 0.0
        for log_prob, value, reward in zip(reversed(log_probs), reversed(values), reversed(rewards)):
            running = reward + self.discount * running
            advantage = running - value.detach()
            loss = loss - (log_prob * advantage).mean() + 0.5 * (running - value).square().mean()
        return loss / len(rewards)
