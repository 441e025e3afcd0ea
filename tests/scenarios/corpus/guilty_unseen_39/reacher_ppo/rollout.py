import torch


class RolloutBuffer:
    def __init__(self, gamma, lam):
        self.gamma = gamma
        self.lam = lam
        self.clear()

    def clear(self):
        self.obs, self.actions, self.rewards = [], [], []
        self.dones, self.logps, self.values = [], [], []

    def add(self, obs, action, reward, done, logp, value):
        self.obs.append(obs)
        self.actions.append(action)
        self.rewards.append(float(reward))
        self.dones.append(float(done))
        self.logps.append(logp)
        self.values.append(value)  # <- culprit

    def mean_reward(self):
        return sum(self.rewards) / max(1, len(self.rewards))

    def finish(self, last_value):
        """Generalised advantage estimation, from the back."""
        adv = []
        gae = 0.0
        nxt = last_value
        for t in reversed(range(len(self.rewards))):
            mask = 1.0 - self.dones[t]
            delta = self.rewards[t] + self.gamma * mask * nxt - self.values[t]
            gae = delta + self.gamma * self.lam * mask * gae
            adv.insert(0, gae)
            nxt = self.values[t]
        adv = torch.stack(adv)  # <- culprit
        values = torch.stack(self.values)
        returns = (adv + values).detach()
        return torch.stack(self.obs), torch.stack(self.actions), torch.stack(self.logps), adv, returns  # <- culprit
