# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1111)

VOCAB, D, SEG, SEGS_PER_UPDATE = 11, 16, 6, 3


class MemLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.kv = nn.Linear(D, D), nn.Linear(D, 2 * D)
        self.ff = nn.Sequential(nn.LayerNorm(D), nn.Linear(D, 24), nn.ReLU(), nn.Linear(24, D))
        self.norm = nn.LayerNorm(D)

    def forward(self, x, mem):
        ctx = torch.cat([mem, x], 1)
        k, v = self.kv(self.norm(ctx)).chunk(2, -1)
        scores = self.q(self.norm(x)) @ k.transpose(1, 2) / D ** 0.5
        T, M = x.shape[1], mem.shape[1]
        future = torch.ones(T, T + M).triu(M + 1).bool()
        x = x + scores.masked_fill(future, -1e9).softmax(-1) @ v
        return x + self.ff(x)


class TransformerXL(nn.Module):
    def __init__(self, n_layer=2):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, D)
        self.pos = nn.Parameter(0.1 * torch.randn(SEG, D))
        self.layers = nn.ModuleList(MemLayer() for _ in range(n_layer))
        self.out = nn.Linear(D, VOCAB)

    def forward(self, ids, mems):
        h = self.embed(ids) + self.pos
        new_mems = []
        for layer, mem in zip(self.layers, mems):
            new_mems.append(h)
            h = layer(h, mem)
        return self.out(h), new_mems

    def empty_mems(self, batch):
        return [torch.zeros(batch, 0, D) for _ in self.layers]


def stream(batch=4):
    state = torch.randint(0, VOCAB, (batch, 2))
    while True:
        seq = [state[:, 0], state[:, 1]]
        for _ in range(SEG - 1):
            seq.append((seq[-1] + seq[-2] + (torch.rand(batch) < 0.1).long()) % VOCAB)
        state = torch.stack(seq[-2:], 1)
        full = torch.stack(seq, 1)
        yield full[:, :SEG], full[:, 1:SEG + 1]


net = TransformerXL()
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
mems = net.empty_mems(4)
data = stream()
for update in range(500):
    total = 0.0
    for _ in range(SEGS_PER_UPDATE):
        ids, tgt = next(data)
        logits, mems = net(ids, mems)
        total = total + F.cross_entropy(logits.flatten(0, 1), tgt.flatten())
    optimizer.zero_grad()
    (total / SEGS_PER_UPDATE).backward()
    optimizer.step()
    mems = [m.detach() for m in mems]
    if update % 100 == 0:
        print(f"{update:4d} nll {total.item() / SEGS_PER_UPDATE:.3f}")
