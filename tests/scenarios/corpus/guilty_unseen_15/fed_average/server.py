from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class RoundRecord:
    number: int
    members: list
    deltas: list


class Server:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.rounds = []

    def aggregate(self, number, members, deltas):
        self.opt.zero_grad()
        for name, p in self.net.named_parameters():
            mean = torch.stack([d[name] for d in deltas]).mean(0)
            p.grad = -mean
        self.opt.step()
        self.rounds.append(RoundRecord(number, members, deltas))  # <- culprit

    def agreement(self, last):
        """Mean pairwise cosine between the updates of the last rounds."""
        values = []
        for record in self.rounds[-last:]:
            flat = torch.stack([torch.cat([v.flatten() for v in d.values()]) for d in record.deltas])
            flat = F.normalize(flat, dim=1)
            sim = flat @ flat.T
            n = len(flat)
            values.append(((sim.sum() - n) / (n * (n - 1))).item())
        return sum(values) / len(values)
