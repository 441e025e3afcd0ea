import torch


class RolloutBuffer:
    def __init__(self, gamma=0.97, lam=0.95):
        self.gamma, self.lam = gamma, lam
        self.clear()

    def clear(self):
        self.obs, self.actions, self.logp = [], [], []
        self.rewards, self.values = [], []

    def add(self, obs, action, logp, reward, value):
        self.obs.append(obs)
        self.actions.append(action)
        self.logp.append(logp)
        self.rewards.append(reward)
        self.values.append(value)  # <- culprit

    def finish(self, last_value):
        adv, out = torch.zeros_like(last_value), []
        nxt = last_value
        for r, v in zip(reversed(self.rewards), reversed(self.values)):
            delta = r + self.gamma * nxt - v
            adv = delta + self.gamma * self.lam * adv
            out.append(adv)
            nxt = v
        adv = torch.stack(out[::-1])
        ret = adv + torch.stack(self.values)
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        return {
            "obs": torch.cat(self.obs),
            "act": torch.cat(self.actions),
            "logp": torch.cat(self.logp),
            "adv": adv.flatten(),  # <- culprit
            "ret": ret.detach().flatten(),
        }
