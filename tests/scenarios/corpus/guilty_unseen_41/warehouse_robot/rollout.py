import torch


class GridWarehouse:
    moves = [(0, 1), (0, -1), (1, 0), (-1, 0)]
    n_actions, obs_dim = 4, 4

    def __init__(self, size):
        self.size = size

    def reset(self):
        self.pos, self.goal = torch.randint(0, self.size, (2, 2)).tolist()
        self.t = 0
        return self._obs()

    def _obs(self):
        return torch.tensor(self.pos + self.goal, dtype=torch.float32) / self.size

    def step(self, a):
        dx, dy = self.moves[a]
        self.pos = [min(max(p + d, 0), self.size - 1) for p, d in zip(self.pos, (dx, dy))]
        self.t += 1
        hit = self.pos == self.goal
        return self._obs(), 1.0 if hit else -0.05, hit or self.t >= 25


class RolloutBuffer:
    def __init__(self):
        self.obs, self.actions, self.logps, self.outcomes = [], [], [], []

    def add(self, obs, action, logp, value, reward, done):
        self.obs.append(obs)
        self.actions.append(action)
        self.logps.append(logp)  # <- culprit
        self.outcomes.append((value, reward, done))

    def finish(self, gamma):
        ret, running = [], 0.0
        for _, reward, done in reversed(self.outcomes):
            running = reward + gamma * running * (not done)
            ret.insert(0, running)
        ret = torch.tensor(ret)
        adv = ret - torch.tensor([value for value, _, _ in self.outcomes])
        return {
            "obs": torch.stack(self.obs),
            "action": torch.stack(self.actions),
            "logp": torch.stack(self.logps),  # <- culprit
            "adv": (adv - adv.mean()) / (adv.std() + 1e-8),
            "ret": ret,
        }

    def minibatches(self, data, size):
        order = torch.randperm(len(self.outcomes))
        for idx in order.split(size):
            yield {k: v[idx] for k, v in data.items()}
