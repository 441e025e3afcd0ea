import torch


class RolloutBuffer:
    FIELDS = ("obs", "action", "logp", "reward", "done", "value")

    def __init__(self):
        self.clear()

    def clear(self):
        for f in self.FIELDS:
            setattr(self, f, [])
        self.advantage = self.returns = None

    def add(self, **kw):
        for f in self.FIELDS:
            getattr(self, f).append(kw[f])

    def finish(self, last_value, gamma, lam):
        reward, done, value = (torch.stack(getattr(self, f)) for f in ("reward", "done", "value"))
        adv = torch.zeros_like(reward)
        gae = torch.zeros_like(last_value)
        nxt = last_value
        for t in reversed(range(len(reward))):
            alive = 1 - done[t]
            delta = reward[t] + gamma * nxt * alive - value[t]
            gae = delta + gamma * lam * alive * gae
            adv[t] = gae
            nxt = value[t]
        self.advantage, self.returns = adv, adv + value

    def minibatches(self, size):
        flat = {f: torch.stack(getattr(self, f)).flatten(0, 1) for f in ("obs", "action", "logp", "value")}
        flat["advantage"], flat["returns"] = self.advantage.flatten(), self.returns.flatten()
        for idx in torch.randperm(len(flat["obs"])).split(size):
            yield {k: v[idx] for k, v in flat.items()}
