import torch


class RolloutBuffer:
    def __init__(self):
        self.clear()

    def clear(self):
        self.obs, self.act, self.logp, self.val, self.rew, self.done = [], [], [], [], [], []

    def add(self, obs, act, logp, val, rew, done):
        for store, item in zip((self.obs, self.act, self.logp, self.val, self.rew, self.done),
                               (obs, act, logp, val, rew, done)):
            store.append(item)

    def finish(self, last_val, gamma=0.98, lam=0.95):
        adv, gae = [], 0.0
        vals = self.val + [last_val]
        for t in reversed(range(len(self.rew))):
            mask = 0.0 if self.done[t] else 1.0
            delta = self.rew[t] + gamma * vals[t + 1] * mask - vals[t]
            gae = delta + gamma * lam * mask * gae
            adv.insert(0, gae)
        adv = torch.stack(adv)
        ret = adv + torch.stack(self.val)
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        return (torch.stack(self.obs), torch.stack(self.act), torch.stack(self.logp), adv, ret)
