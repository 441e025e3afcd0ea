# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F


class Expert(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.up, self.down = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class SparseLayer(nn.Module):
    def __init__(self, dim, experts, k=1):
        super().__init__()
        self.gate = nn.Linear(dim, experts, bias=False)
        self.experts = nn.ModuleList(Expert(dim) for _ in range(experts))
        self.k = k
        self.aux = []
        self.register_buffer("usage", torch.full((experts,), 1.0 / experts))

    def forward(self, x):
        probs = self.gate(x).softmax(-1)
        weight, pick = probs.topk(self.k, -1)
        out = x
        for i, expert in enumerate(self.experts):
            rows, slot = (pick == i).nonzero(as_tuple=True)
            if len(rows) == 0:
                continue
            out = out.index_add(0, rows, weight[rows, slot, None] * expert(x[rows]))
        share = F.one_hot(pick, len(self.experts)).float().mean((0, 1))
        self.usage = 0.95 * self.usage + 0.05 * share
        self.aux.append((share * probs.mean(0)).sum() * len(self.experts))
        return out


class FlowModel(nn.Module):
    def __init__(self, feats=9, dim=16, experts=6):
        super().__init__()
        self.inp = nn.Linear(feats, dim)
        self.blocks = nn.ModuleList([SparseLayer(dim, experts), SparseLayer(dim, experts)])
        self.head = nn.Linear(dim, 1)

    def forward(self, x):
        h = self.inp(x)
        for b in self.blocks:
            h = b(h)
        return self.head(h).squeeze(-1)

    def collect_aux(self):
        total = sum(a for b in self.blocks for a in b.aux)
        for b in self.blocks:
            b.aux.clear()
        return total


def road_batch(n, gen):
    regime = torch.randint(0, 4, (n,), generator=gen)
    x = torch.randn(n, 9, generator=gen)
    x[:, :4] += 2.0 * F.one_hot(regime, 4)
    y = torch.where(regime % 2 == 0, x[:, 4] * x[:, 5], x[:, 6].abs() - x[:, 7])
    return x, y + 0.05 * torch.randn(n, generator=gen)


def main():
    torch.manual_seed(20)
    gen = torch.Generator().manual_seed(20)
    model = FlowModel()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    log = {"task": [], "aux": [], "usage": []}
    for step in range(420):
        x, y = road_batch(48, gen)
        task = F.mse_loss(model(x), y)
        aux = model.collect_aux()
        loss = task + 0.02 * aux
        opt.zero_grad()
        loss.backward()
        opt.step()
        log["task"].append(task.item())
        log["aux"].append(aux.item())
        if step % 70 == 69:
            log["usage"].append([b.usage.clone() for b in model.blocks])
            idle = [(u < 0.02).sum().item() for u in log["usage"][-1]]
            print(step + 1, f"mse {sum(log['task'][-50:]) / 50:.3f} aux {log['aux'][-1]:.3f} idle {idle}")


if __name__ == "__main__":
    main()
