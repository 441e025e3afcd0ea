# gradwatch-corpus: kind=graph-held
# holder: attn_log
# first-bad: 1
"""Flag bad server log lines with a one-layer transformer; record what the class token looks at."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(77)

VOCAB = 60
LINE = 14
DIM = 24
STEPS = 100


def log_lines(n):
    ids = torch.randint(4, VOCAB, (n, LINE))
    bad = torch.rand(n) < 0.5
    where = torch.randint(1, LINE - 1, (n,))
    rows = torch.arange(n)[bad]
    ids[rows, where[bad]] = 1
    ids[rows, where[bad] + 1] = 2
    ids[:, 0] = 3
    return ids, bad.long()


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(DIM, DIM)
        self.k = nn.Linear(DIM, DIM)
        self.v = nn.Linear(DIM, DIM)
        self.weights = nn.Softmax(dim=-1)
        self.ff = nn.Sequential(nn.Linear(DIM, 48), nn.GELU(), nn.Linear(48, DIM))
        self.n1 = nn.LayerNorm(DIM)
        self.n2 = nn.LayerNorm(DIM)

    def forward(self, x):
        h = self.n1(x)
        w = self.weights(self.q(h) @ self.k(h).transpose(1, 2) / DIM ** 0.5)
        x = x + w @ self.v(h)
        return x + self.ff(self.n2(x))


class LineTagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, DIM)
        self.pos = nn.Parameter(0.02 * torch.randn(LINE, DIM))
        self.block = Block()
        self.cls = nn.Linear(DIM, 2)

    def forward(self, ids):
        x = self.tok(ids) + self.pos
        x = self.block(x)
        return self.cls(x[:, 0])


model = LineTagger()
attn_log = []


def keep_attention(module, inputs, output):
    attn_log.append(output[:, 0].mean(0))  # <- culprit


model.block.weights.register_forward_hook(keep_attention)

optim = torch.optim.AdamW(model.parameters(), lr=3e-3)
warm = torch.optim.lr_scheduler.LambdaLR(optim, lambda s: min(1.0, (s + 1) / 10))
metrics = {"loss": [], "acc": []}

for step in range(STEPS):
    ids, label = log_lines(48)
    out = model(ids)
    loss = F.cross_entropy(out, label)
    optim.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optim.step()
    warm.step()
    metrics["loss"].append(loss.item())
    metrics["acc"].append((out.argmax(1) == label).float().mean().item())

for s in range(0, STEPS, 20):
    l = metrics["loss"][s:s + 20]
    a = metrics["acc"][s:s + 20]
    print(f"{s:4d}  loss {sum(l) / len(l):.3f}  acc {sum(a) / len(a):.3f}")

first = torch.stack(attn_log[:10]).mean(0)
last = torch.stack(attn_log[-10:]).mean(0)
print("attention at start", [round(v, 3) for v in first.tolist()])
print("attention at end  ", [round(v, 3) for v in last.tolist()])
