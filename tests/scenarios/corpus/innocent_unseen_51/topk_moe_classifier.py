# gradwatch-corpus: kind=none
"""Top-2 mixture of experts; the layers leave their auxiliary losses on themselves and the
trainer picks them up each step."""
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class Top2MoE(nn.Module):
    def __init__(self, dim, n_experts=4, noise=0.1):
        super().__init__()
        self.gate = nn.Linear(dim, n_experts, bias=False)
        self.w1 = nn.Parameter(torch.randn(n_experts, dim, 2 * dim) / dim ** 0.5)
        self.w2 = nn.Parameter(torch.randn(n_experts, 2 * dim, dim) / (2 * dim) ** 0.5)
        self.noise = noise
        self.aux = []
        self.last_load = None
        self.register_buffer("load_ema", torch.full((n_experts,), 1.0 / n_experts))

    def forward(self, x):
        logits = self.gate(x)
        z_loss = logits.logsumexp(-1).square().mean()
        if self.training:
            logits = logits + self.noise * torch.randn_like(logits)
        probs = logits.softmax(-1)
        top, idx = probs.topk(2, -1)
        weight = torch.zeros_like(probs).scatter(-1, idx, top / top.sum(-1, keepdim=True))
        self.last_load = weight.mean(0)
        balance = probs.size(-1) * (self.last_load * probs.mean(0)).sum()
        if self.training:
            self.aux += [0.01 * balance, 0.001 * z_loss]
            self.load_ema.mul_(0.95).add_(self.last_load.detach(), alpha=0.05)
        hidden = F.relu(torch.einsum("bd,edh->beh", x, self.w1))
        return x + torch.einsum("beh,ehd,be->bd", hidden, self.w2, weight)


class Net(nn.Module):
    def __init__(self, n_in, n_out, dim=32):
        super().__init__()
        self.inp = nn.Linear(n_in, dim)
        self.moes = nn.ModuleList([Top2MoE(dim), Top2MoE(dim)])
        self.out = nn.Linear(dim, n_out)

    def forward(self, x):
        h = self.inp(x)
        for moe in self.moes:
            h = moe(h)
        return self.out(h)

    def pop_aux(self):
        total = sum(term for moe in self.moes for term in moe.aux)
        for moe in self.moes:
            moe.aux.clear()
        return total


def blobs(n, k=8, d=16):
    centres = 1.5 * torch.randn(k, d)
    y = torch.randint(k, (n,))
    return centres[y] + torch.randn(n, d), y


def main():
    torch.manual_seed(8)
    x, y = blobs(2400)
    xtr, ytr, xva, yva = x[:2000], y[:2000], x[2000:], y[2000:]
    net = Net(16, 8)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    recent = deque(maxlen=25)
    best, best_state = 0.0, None
    for step in range(1, 151):
        idx = torch.randint(len(xtr), (64,))
        ce = F.cross_entropy(net(xtr[idx]), ytr[idx])
        aux = net.pop_aux()
        opt.zero_grad()
        (ce + aux).backward()
        opt.step()
        recent.append((ce.detach(), aux.item()))
        if step % 25 == 0:
            net.eval()
            with torch.inference_mode():
                acc = (net(xva).argmax(-1) == yva).float().mean().item()
            net.train()
            if acc > best:
                best, best_state = acc, {k: v.clone() for k, v in net.state_dict().items()}
            mean_ce = torch.stack([r[0] for r in recent]).mean().item()
            print(f"{step} ce {mean_ce:.3f} aux {recent[-1][1]:.4f} val {acc:.3f} "
                  f"load {[round(v, 2) for v in net.moes[0].load_ema.tolist()]}")
    net.load_state_dict(best_state)
    print("restored best", best)


main()
