# gradwatch-corpus: kind=graph-held
# holder: self.attn_maps | model.attn.attn_maps
# first-bad: 1
import math
import torch
from torch import nn

torch.manual_seed(99)
VOCAB, TAGS, L, B = 40, 5, 12, 16


class SelfAttention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.q = nn.Linear(dim, dim)
        self.k = nn.Linear(dim, dim)
        self.v = nn.Linear(dim, dim)
        self.scale = 1 / math.sqrt(dim)
        self.attn_maps = []

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        scores = torch.bmm(q, k.transpose(1, 2)) * self.scale
        weights = scores.softmax(-1)
        # for plotting
        self.attn_maps.append(weights[0])  # <- culprit
        return torch.bmm(weights, v)


class Tagger(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, dim)
        self.pos = nn.Parameter(torch.randn(1, L, dim) * 0.02)
        self.attn = SelfAttention(dim)
        self.norm = nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, TAGS))

    def forward(self, ids):
        x = self.tok(ids) + self.pos
        x = self.norm(x + self.attn(x))
        return self.ff(x)


def get_batch():
    ids = torch.randint(0, VOCAB, (B, L))
    prev = torch.roll(ids, 1, dims=1)
    prev[:, 0] = 0
    tags = (ids + prev) % TAGS
    return ids, tags


def show(weights):
    ramp = " .:-=+*#"
    for row in weights.tolist():
        print("   " + "".join(ramp[min(7, int(v * 12))] for v in row))


model = Tagger()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
loss_function = nn.CrossEntropyLoss()

for step in range(500):
    sentence_in, targets = get_batch()
    model.zero_grad()
    tag_scores = model(sentence_in)
    loss = loss_function(tag_scores.view(-1, TAGS), targets.view(-1))
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        acc = (tag_scores.argmax(-1) == targets).float().mean()
        print(f"step {step} loss {loss.item():.3f} acc {acc.item():.3f}")

print("first map")
show(model.attn.attn_maps[0])
print("last map")
show(model.attn.attn_maps[-1])
