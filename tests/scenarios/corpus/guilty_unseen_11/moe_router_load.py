# gradwatch-corpus: kind=graph-held
# holder: self.load | router.load | model.router.load | layer.router.load | block.router.load | self.router.load | model.block.router.load
# first-bad: 1
"""Top-2 mixture of experts on a patchwork of local functions.
The router counts how much probability each expert has got, so that we can print the load at the end of the week's runs."""
from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn


class Router(nn.Module):
    def __init__(self, dim: int, n_experts: int, k: int = 2):
        super().__init__()
        self.gate = nn.Linear(dim, n_experts, bias=False)
        self.n_experts = n_experts
        self.k = k
        self.register_buffer("load", torch.zeros(n_experts))
        self.register_buffer("seen", torch.zeros((), dtype=torch.long))

    def forward(self, x):
        probs = self.gate(x).softmax(dim=-1)
        weight, index = probs.topk(self.k, dim=-1)
        weight = weight / weight.sum(dim=-1, keepdim=True)
        if self.training:
            self.load += probs.sum(dim=0)  # <- culprit
            self.seen += x.size(0)
        return weight, index, probs

    def balance(self, probs, index):
        """Switch-style: fraction of tokens times mean probability."""
        frac = F.one_hot(index[:, 0], self.n_experts).float().mean(dim=0)
        return self.n_experts * (frac * probs.mean(dim=0)).sum()

    def share(self) -> list[float]:
        total = max(int(self.seen), 1)
        return [round(v / total, 3) for v in self.load.tolist()]


class Expert(nn.Module):
    def __init__(self, dim: int, hidden: int):
        super().__init__()
        self.up = nn.Linear(dim, hidden)
        self.down = nn.Linear(hidden, dim)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class MoEBlock(nn.Module):
    def __init__(self, dim: int, hidden: int, n_experts: int):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.router = Router(dim, n_experts)
        self.experts = nn.ModuleList(Expert(dim, hidden) for _ in range(n_experts))

    def forward(self, x):
        z = self.norm(x)
        weight, index, probs = self.router(z)
        out = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            row, slot = (index == e).nonzero(as_tuple=True)
            if row.numel():
                out = out.index_add(0, row, weight[row, slot].unsqueeze(1) * expert(z[row]))
        return x + out, self.router.balance(probs, index)


class Patchwork(nn.Module):
    def __init__(self, dim: int = 24, n_experts: int = 4):
        super().__init__()
        self.embed = nn.Linear(3, dim)
        self.block = MoEBlock(dim, 48, n_experts)
        self.head = nn.Linear(dim, 1)

    def forward(self, x):
        h, aux = self.block(torch.tanh(self.embed(x)))
        return self.head(h).squeeze(-1), aux


def batches(n: int, size: int, seed: int):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(n):
        x = 2 * torch.rand(size, 3, generator=gen) - 1
        region = (x[:, 0] > 0).long() * 2 + (x[:, 1] > 0).long()
        table = torch.stack([x[:, 2].sin(), x[:, 2] ** 2, -x[:, 2], (3 * x[:, 2]).cos()], dim=1)
        yield x, table.gather(1, region.unsqueeze(1)).squeeze(1)


def run(steps: int = 260, aux_weight: float = 0.01):
    torch.manual_seed(4)
    torch.set_num_threads(1)
    model = Patchwork()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    smooth = None
    for step, (x, y) in enumerate(batches(steps, 96, seed=5)):
        pred, aux = model(x)
        mse = F.mse_loss(pred, y)
        loss = mse + aux_weight * aux
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        smooth = mse.item() if smooth is None else 0.97 * smooth + 0.03 * mse.item()
        if step % 65 == 0:
            print(f"{step:4d} mse {smooth:.4f} aux {aux.item():.3f}")
    print("load per expert", model.block.router.share())


if __name__ == "__main__":
    run()
