import torch


class PPOBuffer:
    def __init__(self, gamma=0.98, lam=0.95):
        self.gamma, self.lam = gamma, lam
        self.data = {k: [] for k in ("obs", "act", "logp", "val", "rew")}
        self.past_returns = []

    def add(self, **kw):
        for k, v in kw.items():
            self.data[k].append(v)

    def finish(self, last_value):
        vals = self.data["val"] + [last_value]
        gae, advs = torch.zeros_like(last_value), []
        for t in reversed(range(len(self.data["rew"]))):
            delta = self.data["rew"][t] + self.gamma * vals[t + 1] - vals[t]
            gae = delta + self.gamma * self.lam * gae
            advs.append(gae)
        adv = torch.stack(advs[::-1]).flatten()
        ret = adv + torch.stack(self.data["val"]).flatten()
        batch = {k: torch.cat(self.data[k]) for k in ("obs", "act", "logp")}
        self.past_returns.append(ret.mean())
        del self.past_returns[:-64]
        for series in self.data.values():
            series.clear()
        return batch, (adv - adv.mean()) / (adv.std() + 1e-8), ret
