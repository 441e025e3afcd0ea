from dataclasses import dataclass

import torch


@dataclass
class Storage:
    obs: torch.Tensor
    actions: torch.Tensor
    logps: torch.Tensor
    rewards: torch.Tensor
    values: torch.Tensor
    advantages: torch.Tensor = None
    returns: torch.Tensor = None

    def finish(self, last, gamma, lam):
        gae, out = 0.0, []
        nxt = last
        for t in range(len(self.rewards) - 1, -1, -1):
            delta = self.rewards[t] + gamma * nxt - self.values[t]
            gae = delta + gamma * lam * gae
            out.append(gae)
            nxt = self.values[t]
        self.advantages = torch.stack(out[::-1])  # <- culprit
        self.returns = self.advantages + self.values
        return self
