import torch


class RolloutStorage:
    def __init__(self, steps, envs, obs_dim):
        self.obs = torch.zeros(steps, envs, obs_dim)
        self.actions = torch.zeros(steps, envs, dtype=torch.long)
        self.logps = torch.zeros(steps, envs)
        self.values = torch.zeros(steps + 1, envs)
        self.rewards = torch.zeros(steps, envs)
        self.adv = torch.zeros(steps, envs)
        self.i = 0

    def insert(self, obs, action, logp, value, reward):
        i = self.i
        self.obs[i], self.actions[i], self.logps[i] = obs, action, logp
        self.values[i], self.rewards[i] = value, reward
        self.i += 1

    def finish(self, last, gamma=0.97, lam=0.95):
        self.values[-1] = last
        run = 0.0
        for t in reversed(range(len(self.rewards))):
            delta = self.rewards[t] + gamma * self.values[t + 1] - self.values[t]
            run = delta + gamma * lam * run
            self.adv[t] = run

    def reset(self):
        self.i = 0

    def minibatches(self, n):
        flat = [x.flatten(0, 1) for x in (self.obs, self.actions, self.logps, self.adv, self.adv + self.values[:-1])]
        for idx in torch.randperm(len(flat[0])).chunk(n):
            yield tuple(x[idx] for x in flat)
