import torch


class Rollout:
    def __init__(self, gamma=0.97, lam=0.95):
        self.gamma, self.lam = gamma, lam
        self.obs, self.acts, self.logps = [], [], []
        self.rewards, self.values, self.dones = [], [], []

    def add(self, s, a, logp, r, v, done):
        self.obs.append(s)
        self.acts.append(a)
        self.logps.append(logp)
        self.rewards.append(r)
        self.values.append(v)  # <- culprit
        self.dones.append(done)

    def finish(self):
        adv, running, nxt = [], 0.0, 0.0
        for r, v, d in zip(reversed(self.rewards), reversed(self.values), reversed(self.dones)):
            mask = 1.0 - float(d)
            delta = r + self.gamma * nxt * mask - v
            running = delta + self.gamma * self.lam * mask * running
            adv.insert(0, running)
            nxt = v
        adv = torch.stack(adv)  # <- culprit
        ret = adv + torch.stack(self.values)  # <- culprit
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)  # <- culprit
        return {
            "obs": torch.stack(self.obs),
            "act": torch.stack(self.acts),
            "logp": torch.stack(self.logps),
            "adv": adv,  # <- culprit
            "ret": ret,  # <- culprit
        }
