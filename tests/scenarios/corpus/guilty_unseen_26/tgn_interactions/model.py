import torch
from torch import nn


class TimeEncoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.omega = nn.Parameter(1.0 / 10 ** torch.linspace(0, 3, dim))
        self.phase = nn.Parameter(torch.zeros(dim))

    def forward(self, dt):
        return torch.cos(dt * self.omega + self.phase)


class DecayUpdater(nn.Module):
    """memory <- decay * memory + (1 - decay) * tanh(message)"""

    def __init__(self, edge_dim, memory_dim, decay=0.7):
        super().__init__()
        self.message = nn.Linear(edge_dim, memory_dim)
        self.time = TimeEncoder(memory_dim)
        self.decay = decay

    def forward(self, old, edge, dt):
        msg = torch.tanh(self.message(edge) + self.time(dt))
        return self.decay * old + (1 - self.decay) * msg


class LinkPredictor(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def forward(self, a, b):
        return self.net(torch.cat([a, b], dim=-1)).squeeze(-1)


class TGN(nn.Module):
    def __init__(self, memory, edge_dim, memory_dim):
        super().__init__()
        self.memory = memory
        self.updater = DecayUpdater(edge_dim, memory_dim)
        self.score = LinkPredictor(memory_dim)

    def _process_previous(self, raw):
        """Raw messages of the batch before bring the memory up to date."""
        if raw is None:
            return
        nodes, edge, now = raw
        last = {n: i for i, n in enumerate(nodes)}          # 'last' aggregator
        ids, rows = list(last), list(last.values())
        new = self.updater(self.memory.gather(ids), edge[rows], self.memory.elapsed(ids, now))
        for n, value in zip(ids, new):
            self.memory.set_node_memory(n, value)  # <- culprit
        self.memory.touch(ids, now)

    def forward(self, batch):
        raw = (batch.sources + batch.destinations, torch.cat([batch.edge, batch.edge]), batch.time)
        self._process_previous(raw)
        src, dst, neg = (self.memory.gather(x) for x in (batch.sources, batch.destinations, batch.negatives))
        return self.score(src, dst), self.score(src, neg)
