# gradwatch-corpus: kind=none
"""Federated averaging with server momentum; each round's reports are kept as numbers."""
import copy
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(24)


@dataclass(frozen=True)
class Report:
    client: int
    weight: int
    losses: tuple
    delta: dict


class NextKey(nn.Module):
    def __init__(self, keys=16, dim=12):
        super().__init__()
        self.emb = nn.Embedding(keys, dim)
        self.rnn = nn.GRU(dim, 20, batch_first=True)
        self.out = nn.Linear(20, keys)

    def forward(self, x):
        return self.out(self.rnn(self.emb(x))[0])


class Phone:
    def __init__(self, cid, n=40, length=9):
        self.cid = cid
        step = 1 + cid % 3
        start = torch.randint(0, 16, (n, 1))
        self.seq = (start + step * torch.arange(length) + (torch.rand(n, length) < 0.1)) % 16

    def batches(self, size):
        for idx in torch.randperm(len(self.seq)).split(size):
            yield self.seq[idx, :-1], self.seq[idx, 1:]

    def train(self, server_model, lr=0.3):
        local = copy.deepcopy(server_model)
        opt = torch.optim.SGD(local.parameters(), lr=lr)
        trail = []
        for x, y in self.batches(8):
            loss = F.cross_entropy(local(x).flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            opt.step()
            trail.append(loss.detach())
        before = server_model.state_dict()
        delta = {k: v - before[k] for k, v in local.state_dict().items()}
        return Report(self.cid, len(self.seq), tuple(l.item() for l in trail), delta)


class Server:
    def __init__(self, model, beta=0.5):
        self.model, self.beta, self.velocity = model, beta, None
        self.rounds = []

    def merge(self, reports):
        total = sum(r.weight for r in reports)
        mean = {k: sum(r.delta[k] * (r.weight / total) for r in reports) for k in reports[0].delta}
        if self.velocity is None:
            self.velocity = mean
        else:
            self.velocity = {k: self.beta * self.velocity[k] + mean[k] for k in mean}
        state = self.model.state_dict()
        self.model.load_state_dict({k: state[k] + self.velocity[k] for k in state})
        self.rounds.append({r.client: r.losses[-1] for r in reports})


def main():
    phones, server = [Phone(i) for i in range(8)], Server(NextKey())
    for rnd in range(8):
        chosen = torch.randperm(len(phones))[:3].tolist()
        server.merge([phones[c].train(server.model) for c in chosen])
        print(f"round {rnd}: " + ", ".join(f"{c}:{l:.3f}" for c, l in server.rounds[-1].items()))


if __name__ == "__main__":
    main()
