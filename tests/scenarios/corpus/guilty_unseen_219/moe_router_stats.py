# gradwatch-corpus: kind=graph-held
# holder: self.load_trace | router.load_trace | block.router.load_trace | model.blocks[0].router.load_trace
# first-bad: 1
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class TopKRouter(nn.Module):
    def __init__(self, dim, n_experts, k):
        super().__init__()
        self.gate = nn.Linear(dim, n_experts, bias=False)
        self.k = k
        self.n_experts = n_experts
        self.load_trace = deque(maxlen=10_000)
        self.aux_loss = None

    def forward(self, x):
        probs = self.gate(x).softmax(-1)
        top_p, top_i = probs.topk(self.k, dim=-1)
        top_p = top_p / top_p.sum(-1, keepdim=True)
        importance = probs.mean(0)
        counts = F.one_hot(top_i, self.n_experts).sum(1).float().mean(0)
        self.aux_loss = self.n_experts * (importance * counts).sum() / self.k
        if self.training:
            self.load_trace.append(importance)  # <- culprit
        return top_p, top_i

    def load_summary(self, last=20):
        recent = torch.stack(list(self.load_trace)[-last:])
        mean = recent.mean(0)
        return mean.min().item(), mean.max().item()


class Expert(nn.Sequential):
    def __init__(self, dim):
        super().__init__(nn.Linear(dim, 2 * dim), nn.SiLU(), nn.Linear(2 * dim, dim))


class MoEBlock(nn.Module):
    def __init__(self, dim, n_experts=6, k=2):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.router = TopKRouter(dim, n_experts, k)
        self.experts = nn.ModuleList(Expert(dim) for _ in range(n_experts))

    def forward(self, x):
        shape = x.shape
        flat = self.norm(x).reshape(-1, shape[-1])
        weight, index = self.router(flat)
        out = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = (index == e).nonzero(as_tuple=True)
            if token.numel() == 0:
                continue
            y = expert(flat[token]) * weight[token, slot, None]
            out = out.index_add(0, token, y)
        return x + out.view(shape)


class MoELM(nn.Module):
    def __init__(self, vocab=40, dim=32, depth=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.mix = nn.ModuleList(nn.GRU(dim, dim, batch_first=True) for _ in range(depth))
        self.blocks = nn.ModuleList(MoEBlock(dim) for _ in range(depth))
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        h = self.emb(ids)
        for mix, block in zip(self.mix, self.blocks):
            h = h + mix(h)[0]
            h = block(h)
        return self.out(h)

    def aux(self):
        return sum(b.router.aux_loss for b in self.blocks)


def batches(n, seed=5, vocab=40, length=12):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        start = torch.randint(0, vocab, (8, 1), generator=g)
        stride = torch.randint(1, 4, (8, 1), generator=g)
        yield (start + stride * torch.arange(length + 1)) % vocab


def main():
    torch.manual_seed(5)
    model = MoELM().train()
    opt = torch.optim.AdamW(model.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 100)
    for step, seq in enumerate(batches(100)):
        logits = model(seq[:, :-1])
        ce = F.cross_entropy(logits.flatten(0, 1), seq[:, 1:].flatten())
        loss = ce + 0.02 * model.aux()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 25 == 0:
            lo, hi = model.blocks[0].router.load_summary()
            print(f"{step:3d} ce={ce.item():.3f} load=[{lo:.2f}, {hi:.2f}]")


if __name__ == "__main__":
    main()
