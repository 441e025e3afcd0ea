import torch


class TMaze:
    """The cue is shown in the first step only; the choice counts in the last."""

    obs_dim, n_actions, length = 3, 2, 6

    def __init__(self, workers):
        self.cue = torch.randint(0, 2, (workers,))
        self.t = torch.zeros(workers, dtype=torch.long)

    def obs(self):
        shown = (self.t == 0).float()
        return torch.stack([shown * (2 * self.cue - 1), (self.t == self.length - 1).float(), self.t / self.length], 1)

    def step(self, action):
        last = self.t == self.length - 1
        reward = last.float() * (action == self.cue).float()
        self.t = torch.where(last, torch.zeros_like(self.t), self.t + 1)
        self.cue = torch.where(last, torch.randint(0, 2, self.cue.shape), self.cue)
        return reward, last.float()


class RolloutStore:
    FIELDS = ("obs", "action", "logp", "value", "reward", "done")

    def __init__(self, first_state, gamma=0.95, lam=0.9):
        self.last_state = first_state
        self.gamma, self.lam = gamma, lam
        self.clear()

    def clear(self):
        self.columns = {f: [] for f in self.FIELDS}
        self.states = []

    def begin_segment(self, state):
        self.states.append(state)

    def add(self, *values):
        for field, value in zip(self.FIELDS, values):
            self.columns[field].append(value)

    def finish(self, value):
        self.data = {f: torch.stack(c, dim=1) for f, c in self.columns.items()}
        d, run, adv = self.data, torch.zeros_like(value), []
        for t in reversed(range(d["reward"].shape[1])):
            delta = d["reward"][:, t] + self.gamma * value * (1 - d["done"][:, t]) - d["value"][:, t]
            run = delta + self.gamma * self.lam * (1 - d["done"][:, t]) * run
            adv.insert(0, run)
            value = d["value"][:, t]
        d["advantage"] = torch.stack(adv, dim=1)
        d["return"] = d["advantage"] + d["value"]
        d["advantage"] = (d["advantage"] - d["advantage"].mean()) / (d["advantage"].std() + 1e-6)

    def segments(self, size):
        for k in torch.randperm(len(self.states)).tolist():
            seg = {name: column[:, k * size:(k + 1) * size] for name, column in self.data.items()}
            seg["state"] = self.states[k]
            yield seg

    def mean_reward(self):
        return self.data["reward"].sum().item() / max(1.0, self.data["done"].sum().item())
