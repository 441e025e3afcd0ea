import torch


class Catchment:
    def __init__(self):
        self.theta = {n: torch.tensor(v, requires_grad=True)
                      for n, v in dict(split=0.0, fast=0.0, slow=-2.0).items()}
        self.level = torch.zeros(2)

    def run(self, rain):
        split, fast, slow = (torch.sigmoid(self.theta[n]) for n in ("split", "fast", "slow"))
        share = torch.stack([split, 1 - split])
        rate = torch.stack([fast, slow])
        level, flows = self.level, []
        for r in rain:
            level = level + share * r
            out = rate * level
            level = level - out
            flows.append(out.sum())
        self.level = level  # <- culprit
        return torch.stack(flows)
