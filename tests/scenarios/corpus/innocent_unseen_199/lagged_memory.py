# gradwatch-corpus: kind=none
"""Temporal interaction model: node memory is updated by the messages of the batch before."""
import torch
from torch import nn
import torch.nn.functional as F

NODES, DIM = 80, 16


class NodeMemory(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("state", torch.zeros(NODES, DIM))
        self.register_buffer("touched", torch.zeros(NODES))
        self.update_cell = nn.GRUCell(2 * DIM + 2, DIM)
        self.mail = {}

    def current(self):
        if not self.mail:
            return self.state
        ids = torch.tensor(sorted(self.mail))
        msgs = torch.stack([self.mail[i] for i in ids.tolist()])
        fresh = self.update_cell(msgs, self.state[ids])
        return self.state.index_put((ids,), fresh)

    @torch.no_grad()
    def commit(self, memory, src, dst, when, weight):
        self.state = memory
        self.mail = {}
        for s, d, t, w in zip(src.tolist(), dst.tolist(), when.tolist(), weight.tolist()):
            for a, b in ((s, d), (d, s)):
                extra = torch.tensor([t - self.touched[a].item(), w])
                self.mail[a] = torch.cat([memory[a], memory[b], extra])
                self.touched[a] = t
        self.state = self.state.detach()
        self.mail = {k: v.detach() for k, v in self.mail.items()}


class LinkModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.memory = NodeMemory()
        self.static = nn.Embedding(NODES, DIM)
        self.score = nn.Sequential(nn.Linear(4 * DIM, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, memory, a, b):
        return self.score(torch.cat([memory[a], self.static(a), memory[b], self.static(b)], -1)).squeeze(-1)


def events(gen, count, size=8):
    group = torch.randint(5, (NODES,), generator=gen)
    clock = 0.0
    for _ in range(count):
        src = torch.randint(NODES, (size,), generator=gen)
        dst = torch.stack([torch.multinomial((group == group[s]).float() + 0.01, 1, generator=gen)[0] for s in src])
        when = clock + torch.rand(size, generator=gen).sort().values
        clock += 1.0
        yield src, dst, when * 0.1, torch.rand(size, generator=gen)


def main():
    torch.manual_seed(110)
    gen = torch.Generator().manual_seed(111)
    model = LinkModel()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    log = {"loss": [], "rank": []}
    for it, (src, dst, when, weight) in enumerate(events(gen, 500)):
        wrong = torch.randint(NODES, src.shape, generator=gen)
        memory = model.memory.current()
        pos, neg = model(memory, src, dst), model(memory, src, wrong)
        loss = F.softplus(-pos).mean() + F.softplus(neg).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.memory.commit(memory, src, dst, when, weight)
        log["loss"].append(loss.item())
        log["rank"].append((pos > neg).float().mean())
        if it % 100 == 99:
            print(it + 1, sum(log["loss"][-100:]) / 100, torch.stack(log["rank"][-100:]).mean().item())


main()
