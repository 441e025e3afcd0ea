# gradwatch-corpus: kind=none
"""Two-task encoder; relative bias is computed once per update and shared by both tasks."""
from typing import Dict

import torch
import torch.nn.functional as F
from torch import nn


class SharedBias(nn.Module):
    def __init__(self, reach: int) -> None:
        super().__init__()
        self.reach = reach
        self.table = nn.Embedding(2 * reach + 1, 1)
        self.scale = nn.Parameter(torch.ones(()))
        self._ready: Dict[int, torch.Tensor] = {}
        self._index: Dict[int, torch.Tensor] = {}

    def forward(self, n: int) -> torch.Tensor:
        if n not in self._ready:
            self._ready[n] = self.scale * torch.tanh(self.table(self.index(n)).squeeze(-1))
        return self._ready[n]

    def index(self, n: int) -> torch.Tensor:
        if n not in self._index:
            pos = torch.arange(n)
            self._index[n] = (pos[None] - pos[:, None]).clamp(-self.reach, self.reach) + self.reach
        return self._index[n]

    def expire(self, *_) -> None:
        self._ready = {}


class Encoder(nn.Module):
    def __init__(self, vocab: int, dim: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.key = nn.Linear(dim, dim)
        self.rel = SharedBias(8)
        self.heads = nn.ModuleDict({"next": nn.Linear(dim, vocab), "sum": nn.Linear(dim, 1)})

    def forward(self, tokens: torch.Tensor, task: str) -> torch.Tensor:
        x = self.embed(tokens)
        att = x @ self.key(x).transpose(1, 2) / x.shape[-1] ** 0.5 + self.rel(tokens.shape[1])
        return self.heads[task]((att.softmax(-1) @ x) + x)


class Balancer:
    """Weighs tasks by the inverse of the gradient they put on a shared tensor."""

    def __init__(self, tasks, rate: float = 0.1) -> None:
        self.norm = {t: torch.ones(()) for t in tasks}
        self.rate = rate

    def __call__(self, losses: Dict[str, torch.Tensor], shared: torch.Tensor) -> torch.Tensor:
        for name, loss in losses.items():
            (g,) = torch.autograd.grad(loss, shared, retain_graph=True)
            self.norm[name] = (1 - self.rate) * self.norm[name] + self.rate * g.norm()
        mean = sum(self.norm.values()) / len(self.norm)
        return sum(loss * (mean / (self.norm[name] + 1e-6)).clamp(0.2, 5.0) for name, loss in losses.items())


def compute_losses(model: Encoder, tokens: torch.Tensor) -> Dict[str, torch.Tensor]:
    nxt = model(tokens[:, :-1], "next")
    tot = model(tokens[:, :-1], "sum").squeeze(-1)
    return {
        "next": F.cross_entropy(nxt.flatten(0, 1), tokens[:, 1:].flatten()),
        "sum": F.mse_loss(tot, (tokens[:, :-1] + tokens[:, 1:]).float() / 10),
    }


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(3)
    model = Encoder(vocab=16, dim=24)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    opt.register_step_post_hook(model.rel.expire)
    balance = Balancer(["next", "sum"])
    history = {"next": [], "sum": []}
    for it in range(200):
        n = 8 + it // 25
        start = torch.randint(16, (24, 1))
        tokens = (start + 3 * torch.arange(n)) % 16
        losses = compute_losses(model, tokens)
        total = balance(losses, model.rel.table.weight)
        opt.zero_grad()
        total.backward()
        opt.step()
        for name in history:
            history[name].append(losses[name].detach())
        if it % 50 == 49:
            with torch.no_grad():
                probe = compute_losses(model, tokens)
            model.rel.expire()
            print(it + 1, {k: round(v.item(), 4) for k, v in probe.items()},
                  {k: round(torch.stack(v[-50:]).mean().item(), 4) for k, v in history.items()})


if __name__ == "__main__":
    main()
