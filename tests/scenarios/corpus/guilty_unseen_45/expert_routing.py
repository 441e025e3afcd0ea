# gradwatch-corpus: kind=graph-held
# holder: self.running_load | layer.running_load | model.moe.running_load | self.moe.running_load
# first-bad: 1
"""Top-2 mixture of experts on piecewise regression, with load accounting."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass(frozen=True)
class MoEArgs:
    width: int = 24
    experts: int = 6
    top_k: int = 2
    balance: float = 0.02
    batch: int = 96
    iters: int = 150
    report: int = 25


class RoutedLayer(nn.Module):
    """Common bookkeeping for layers that route tokens to experts."""

    def __init__(self, n_experts):
        super().__init__()
        self.n_experts = n_experts
        self.running_load = torch.zeros(n_experts)
        self.tokens = 0

    def account(self, gates):
        self.running_load = self.running_load + gates.sum(dim=0)  # <- culprit
        self.tokens += gates.shape[0]

    def load_share(self):
        return (self.running_load / max(1, self.tokens)).tolist()

    def balance_loss(self, probs, gates):
        used = (gates > 0).float().mean(0)
        return self.n_experts * (used * probs.mean(0)).sum()


class TopKMixture(RoutedLayer):
    def __init__(self, args):
        super().__init__(args.experts)
        self.k = args.top_k
        self.router = nn.Linear(args.width, args.experts, bias=False)
        self.w1 = nn.Parameter(torch.randn(args.experts, args.width, 2 * args.width) * 0.1)
        self.w2 = nn.Parameter(torch.randn(args.experts, 2 * args.width, args.width) * 0.1)

    def forward(self, x):
        probs = self.router(x).softmax(-1)
        val, idx = probs.topk(self.k, dim=-1)
        val = val / val.sum(-1, keepdim=True)
        gates = torch.zeros_like(probs).scatter(1, idx, val)
        self.account(gates)  # <- culprit
        hidden = F.gelu(torch.einsum("bd,edh->beh", x, self.w1))
        each = torch.einsum("beh,ehd->bed", hidden, self.w2)
        return (gates.unsqueeze(-1) * each).sum(1), self.balance_loss(probs, gates)


class Predictor(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.stem = nn.Linear(2, args.width)
        self.moe = TopKMixture(args)
        self.norm = nn.LayerNorm(args.width)
        self.out = nn.Linear(args.width, 1)

    def forward(self, x):
        h = torch.tanh(self.stem(x))
        y, aux = self.moe(h)
        return self.out(self.norm(h + y)).squeeze(-1), aux


def terrain(n):
    x = torch.rand(n, 2) * 4 - 2
    piece = (x[:, 0] > 0).float() * torch.sin(3 * x[:, 1]) + (x[:, 1] > 0).float() * x[:, 0].abs()
    return x, piece + 0.02 * torch.randn(n)


def main():
    args = MoEArgs()
    torch.manual_seed(13)
    model = Predictor(args)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.iters)
    for it in range(1, args.iters + 1):
        x, y = terrain(args.batch)
        pred, aux = model(x)
        loss = F.huber_loss(pred, y) + args.balance * aux
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        if it % args.report == 0:
            share = " ".join(f"{s:.2f}" for s in model.moe.load_share())
            print(f"it {it:4d} loss {loss.item():.4f} load [{share}]")


if __name__ == "__main__":
    main()
