# gradwatch-corpus: kind=none
# Sequence reversal with a small transformer; activation checkpointing and the Noam schedule.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

torch.manual_seed(3407)
torch.set_num_threads(1)

VOCAB, LEN, D = 11, 8, 32


class SelfAttention(nn.Module):
    def __init__(self, d, heads=4):
        super().__init__()
        self.qkv, self.proj, self.heads = nn.Linear(d, 3 * d), nn.Linear(d, d), heads

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, self.heads, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v)
        return self.proj(y.transpose(1, 2).reshape(B, T, C))


class Layer(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn = SelfAttention(d)
        self.mlp = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Dropout(0.05), nn.Linear(2 * d, d))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class Reverser(nn.Module):
    def __init__(self, n_layers=2, use_ckpt=True):
        super().__init__()
        self.tok, self.pos = nn.Embedding(VOCAB, D), nn.Parameter(0.02 * torch.randn(LEN, D))
        self.layers = nn.ModuleList(Layer(D) for _ in range(n_layers))
        self.head = nn.Linear(D, VOCAB)
        self.use_ckpt = use_ckpt

    def forward(self, ids):
        x = self.tok(ids) + self.pos
        for layer in self.layers:
            if self.use_ckpt and self.training:
                x = checkpoint(layer, x, use_reentrant=False)
            else:
                x = layer(x)
        return self.head(x)


def noam(step, warmup=40):
    step = max(step, 1)
    return min(step ** -0.5, step * warmup ** -1.5) * warmup ** 0.5


model = Reverser()
opt = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.98))
sched = torch.optim.lr_scheduler.LambdaLR(opt, noam)
tot, correct = 0, torch.zeros((), dtype=torch.long)
for step in range(120):
    model.train()
    ids = torch.randint(1, VOCAB, (32, LEN))
    logits = model(ids)
    loss = F.cross_entropy(logits.flatten(0, 1), ids.flip(1).flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    correct += (logits.argmax(-1) == ids.flip(1)).sum()
    tot += ids.numel()
    if step % 30 == 29:
        print(f"step {step + 1} loss {loss.item():.3f} running acc {correct.item() / tot:.3f}")
        tot, correct = 0, torch.zeros((), dtype=torch.long)
