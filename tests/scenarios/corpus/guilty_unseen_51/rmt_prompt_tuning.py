# gradwatch-corpus: kind=graph-chain
# holder: memory | mem | self.memory | reader.memory
# first-bad: 1
"""Recurrent memory tokens on top of a frozen language model: only the memory
embeddings, the read prompt and a fresh output head are tuned."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(21)

V, D, SEG, N_MEM, N_SEGMENTS, BSZ = 30, 32, 16, 4, 80, 4


class FrozenBlock(nn.Module):
    def __init__(self, d, h=4):
        super().__init__()
        self.h = h
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(a.transpose(1, 2).reshape(b, t, d))
        return x + self.mlp(self.n2(x))


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(V, D)
        self.pos = nn.Embedding(SEG + 3 * N_MEM, D)
        self.layers = nn.ModuleList(FrozenBlock(D) for _ in range(2))
        self.norm = nn.LayerNorm(D)

    def forward(self, x):
        x = x + self.pos.weight[: x.size(1)]
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)


class MemoryReader(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone.requires_grad_(False)
        self.memory_init = nn.Parameter(0.02 * torch.randn(N_MEM, D))
        self.prompt = nn.Parameter(0.02 * torch.randn(N_MEM, D))
        self.head = nn.Linear(D, V)

    def start(self, batch):
        return self.memory_init.expand(batch, -1, -1).clone()

    def forward(self, ids, memory):
        words = self.backbone.tok(ids)
        prompt = self.prompt.expand(len(ids), -1, -1)
        x = torch.cat([memory, prompt, words, memory], dim=1)
        h = self.backbone(x)
        new_memory = h[:, -N_MEM:]  # <- culprit
        return self.head(h[:, 2 * N_MEM:-N_MEM]), new_memory  # <- culprit


def markov_stream(length, batch):
    trans = torch.softmax(2.5 * torch.randn(V, V), -1)
    ids = [torch.randint(V, (batch,))]
    for _ in range(length - 1):
        ids.append(torch.multinomial(trans[ids[-1]], 1).squeeze(1))
    return torch.stack(ids, 1)


reader = MemoryReader(Backbone())
tuned = [p for p in reader.parameters() if p.requires_grad]
print("tuned parameters:", sum(p.numel() for p in tuned))
optimizer = torch.optim.Adam(tuned, lr=5e-3)

stream = markov_stream(N_SEGMENTS * SEG + 1, BSZ)
memory = reader.start(BSZ)
running = None
for seg in range(N_SEGMENTS):
    chunk = stream[:, seg * SEG: (seg + 1) * SEG + 1]
    logits, memory = reader(chunk[:, :-1], memory)  # <- culprit
    loss = F.cross_entropy(logits.reshape(-1, V), chunk[:, 1:].reshape(-1))
    optimizer.zero_grad()
    loss.backward(retain_graph=True)  # <- culprit
    torch.nn.utils.clip_grad_norm_(tuned, 1.0)
    optimizer.step()
    running = loss.item() if running is None else 0.9 * running + 0.1 * loss.item()
    if seg % 20 == 19:
        print(f"segment {seg + 1}: nll {running:.3f}, |memory| {memory.norm().item():.2f}")
