# gradwatch-corpus: kind=second-backward
# holder: model.store.msgs | self.store.msgs | self.msgs | model.store
# first-bad: 2
# after: memgraph/mage #121 "Temporal graph networks implementation" (detach_tensor_grads because of "backward through the graph a second time")
"""Link/fraud prediction on a stream of card -> merchant payments, memory-based temporal graph net."""
import torch
from torch import nn


class RawMessageStore:
    """last raw message of each node, consumed when the node is next updated"""

    def __init__(self):
        self.msgs = {}

    def put(self, nodes, payload):
        for n, m in zip(nodes.tolist(), payload):
            self.msgs[n] = m  # <- culprit

    def take(self):
        ids = sorted(self.msgs)
        return ids, (torch.stack([self.msgs[i] for i in ids]) if ids else None)

    def clear(self):
        self.msgs.clear()


class TGN(nn.Module):
    def __init__(self, n_nodes, dim=16, edge=4):
        super().__init__()
        self.register_buffer("memory", torch.zeros(n_nodes, dim))
        self.updater = nn.GRUCell(2 * dim + edge, dim)
        self.embed = nn.Linear(dim, dim)
        self.score = nn.Sequential(nn.Linear(2 * dim + edge, 32), nn.ReLU(), nn.Linear(32, 1))
        self.store = RawMessageStore()

    def updated_memory(self):
        ids, msgs = self.store.take()
        mem = self.memory
        if msgs is not None:
            idx = torch.tensor(ids)
            mem = mem.index_copy(0, idx, self.updater(msgs, mem[idx]))
        self.store.clear()
        return mem

    def forward(self, src, dst, feat):
        mem = self.updated_memory()
        z = torch.relu(self.embed(mem))
        logit = self.score(torch.cat([z[src], z[dst], feat], -1)).squeeze(-1)
        self.memory = mem
        self.store.put(src, torch.cat([mem[src], mem[dst], feat], -1))  # <- culprit
        self.store.put(dst, torch.cat([mem[dst], mem[src], feat], -1))  # <- culprit
        return logit

    def detach_memory(self):
        self.memory = self.memory.detach()


def payments(n_batches, n_nodes, size=32):
    g = torch.Generator().manual_seed(8)
    for _ in range(n_batches):
        src = torch.randint(0, n_nodes // 2, (size,), generator=g)
        dst = torch.randint(n_nodes // 2, n_nodes, (size,), generator=g)
        feat = torch.randn(size, 4, generator=g)
        yield src, dst, feat, ((src * 7 + dst) % 5 == 0).float()


model = TGN(60)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.BCEWithLogitsLoss()
for n, (src, dst, feat, y) in enumerate(payments(100, 60)):
    loss = criterion(model(src, dst, feat), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.detach_memory()
    print(f"\rbatch {n} loss {loss.item():.4f}", end="")
