import torch


class CemPlanner:
    def __init__(self, model, horizon, pool, elite, rounds, actions=3):
        self.model, self.horizon = model, horizon
        self.pool, self.elite, self.rounds, self.actions = pool, elite, rounds, actions
        self.warm = torch.zeros(horizon, actions)

    def imagine(self, s, plans):
        s = s.expand(self.pool, -1)
        gain = 0.0
        for t in range(self.horizon):
            s = self.model.mean(s, plans[:, t])  # <- culprit
            gain = gain + s[:, 0] - 0.01 * plans[:, t].square().sum(-1)
        return gain

    def choose(self, s):
        mid, sd = self.warm, torch.ones_like(self.warm)
        for _ in range(self.rounds):
            plans = mid + sd * torch.randn(self.pool, self.horizon, self.actions)
            best = self.imagine(s, plans).topk(self.elite).indices
            mid, sd = plans[best].mean(0), plans[best].std(0) + 0.05
        self.warm = torch.cat([mid[1:], torch.zeros(1, self.actions)])
        return mid[0]
