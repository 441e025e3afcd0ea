from dataclasses import dataclass, field


@dataclass
class Rollout:
    horizon: int
    logps: list = field(default_factory=list)
    values: list = field(default_factory=list)
    rewards: list = field(default_factory=list)
    entropies: list = field(default_factory=list)

    def add(self, dist, action, value, reward):
        self.logps.append(dist.log_prob(action))
        self.values.append(value)
        self.rewards.append(reward)
        self.entropies.append(dist.entropy())  # <- culprit

    def returns(self, tail, gamma):
        out = []
        for r in reversed(self.rewards):
            tail = r + gamma * tail
            out.append(tail)
        return out[::-1]

    def clear(self):  # <- culprit
        for column in (self.logps, self.values, self.rewards):
            column.clear()
