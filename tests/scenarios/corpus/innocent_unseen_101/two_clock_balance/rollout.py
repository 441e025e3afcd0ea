import torch


class Rollout:
    def __init__(self, gamma):
        self.gamma = gamma
        self.clear()

    def clear(self):
        self.log_probs, self.entropies, self.rewards, self.values = [], [], [], []

    def __len__(self):
        return len(self.rewards)

    def add(self, log_prob, entropy, reward, value):
        self.log_probs.append(log_prob)
        self.entropies.append(entropy)
        self.rewards.append(reward)
        self.values.append(value)

    def policy_loss(self, entropy_coef):
        g, returns = 0.0, []
        for r in reversed(self.rewards):
            g = r + self.gamma * g
            returns.insert(0, g)
        adv = torch.tensor(returns) - torch.stack(self.values)
        logp = torch.stack(self.log_probs)
        return -(logp * adv).mean() - entropy_coef * torch.stack(self.entropies).mean()
