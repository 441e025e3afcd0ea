# gradwatch-corpus: kind=second-backward
# holder: mems | new_mems | mems[i]
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(1111)

TGT_LEN, MEM_LEN, BSZ, NTOKEN = 12, 16, 4, 30


class RelAttn(nn.Module):
    def __init__(self, d, n_head):
        super().__init__()
        self.n_head, self.dh = n_head, d // n_head
        self.q, self.kv, self.o = nn.Linear(d, d), nn.Linear(d, 2 * d), nn.Linear(d, d)
        self.bias = nn.Parameter(torch.zeros(n_head, TGT_LEN + MEM_LEN + 1))
        self.norm = nn.LayerNorm(d)

    def forward(self, x, mem):
        cat = x if mem is None else torch.cat([mem, x], 1)
        B, T, d = x.shape
        S = cat.size(1)
        q = self.q(x).view(B, T, self.n_head, self.dh).transpose(1, 2)
        k, v = (t.view(B, S, self.n_head, self.dh).transpose(1, 2) for t in self.kv(cat).chunk(2, -1))
        dist = (torch.arange(T)[:, None] + S - T) - torch.arange(S)[None, :]
        score = q @ k.transpose(-1, -2) / self.dh ** 0.5 + self.bias[:, dist.clamp(min=0)]
        score = score.masked_fill(dist < 0, float("-inf"))
        out = (score.softmax(-1) @ v).transpose(1, 2).reshape(B, T, d)
        return self.norm(x + self.o(out))


class Layer(nn.Module):
    def __init__(self, d, n_head):
        super().__init__()
        self.attn = RelAttn(d, n_head)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.ReLU(), nn.Linear(2 * d, d))
        self.norm = nn.LayerNorm(d)

    def forward(self, x, mem):
        x = self.attn(x, mem)
        return self.norm(x + self.ff(x))


class MemTransformerLM(nn.Module):
    def __init__(self, n_layer=2, d=24, n_head=2):
        super().__init__()
        self.emb = nn.Embedding(NTOKEN, d)
        self.layers = nn.ModuleList(Layer(d, n_head) for _ in range(n_layer))
        self.out = nn.Linear(d, NTOKEN)

    def _update_mems(self, hids, mems):
        if mems is None:
            return [h[:, -MEM_LEN:] for h in hids]  # <- culprit
        new_mems = []
        for i in range(len(hids)):
            cat = torch.cat([mems[i], hids[i]], dim=1)
            new_mems.append(cat[:, -MEM_LEN:])  # <- culprit
        return new_mems

    def forward(self, data, target, mems=None):
        h, hids = self.emb(data), []
        for i, layer in enumerate(self.layers):
            hids.append(h)
            h = layer(h, None if mems is None else mems[i])
        loss = F.cross_entropy(self.out(h).flatten(0, 1), target.flatten())
        return loss, self._update_mems(hids, mems)


class LMOrderedIterator:
    def __init__(self, data):
        n = len(data) // BSZ
        self.data = data[:n * BSZ].view(BSZ, n)

    def __iter__(self):
        for i in range(0, self.data.size(1) - TGT_LEN - 1, TGT_LEN):
            yield self.data[:, i:i + TGT_LEN], self.data[:, i + 1:i + 1 + TGT_LEN]


tr_iter = LMOrderedIterator((torch.arange(5000) * 5 + torch.randint(0, 3, (5000,))) % NTOKEN)
model = MemTransformerLM()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
train_loss, mems = 0.0, None
for batch, (data, target) in enumerate(tr_iter):
    model.zero_grad()
    loss, mems = model(data, target, mems)  # <- culprit
    loss.backward()
    train_loss += loss.item()
    nn.utils.clip_grad_norm_(model.parameters(), 0.25)
    optimizer.step()
    if (batch + 1) % 20 == 0:
        print(f"batch {batch + 1} loss {train_loss / 20:.3f}")
        train_loss = 0.0
