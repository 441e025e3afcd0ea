# gradwatch-corpus: kind=none
"""Multi-task molecule property regression (logP, solubility, toxicity) with PCGrad."""
import random
import torch
torch.set_num_threads(1)
from torch import nn

random.seed(14); torch.manual_seed(14)
TASKS = ["logp", "sol", "tox"]


class MPNN(nn.Module):
    def __init__(self, d=12, rounds=2):
        super().__init__()
        self.embed = nn.Linear(4, d)
        self.msg, self.upd, self.rounds = nn.Linear(d, d), nn.GRUCell(d, d), rounds
        self.heads = nn.ModuleDict({t: nn.Linear(d, 1) for t in TASKS})

    def forward(self, atoms, adj):
        h = self.embed(atoms)
        B, N, D = h.shape
        for _ in range(self.rounds):
            m = adj @ self.msg(h)
            h = self.upd(m.reshape(-1, D), h.reshape(-1, D)).view(B, N, D)
        g = h.mean(1)
        return {t: head(g).squeeze(-1) for t, head in self.heads.items()}


class PCGrad:
    def __init__(self, optimizer):
        self.opt = optimizer
        self.params = [p for g in optimizer.param_groups for p in g["params"]]

    def flat_grad(self, loss, keep):
        self.opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=keep)
        return torch.cat([torch.zeros(p.numel()) if p.grad is None else p.grad.flatten().clone() for p in self.params])

    def step(self, losses):
        grads = [self.flat_grad(l, keep=i < len(losses) - 1) for i, l in enumerate(losses)]
        merged = []
        for g in grads:
            g = g.clone()
            for other in random.sample(grads, len(grads)):
                dot = g @ other
                if dot < 0:
                    g -= dot / other.pow(2).sum().clamp_min(1e-12) * other
            merged.append(g)
        total, k = torch.stack(merged).sum(0), 0
        for p in self.params:
            p.grad = total[k:k + p.numel()].view_as(p).clone()
            k += p.numel()
        self.opt.step()


def molecules(n, atoms=7):
    x = torch.rand(n, atoms, 4)
    a = (torch.rand(n, atoms, atoms) < 0.3).float()
    a = ((a + a.transpose(1, 2)) > 0).float()
    s = x.mean((1, 2))
    deg = a.sum((1, 2)) / atoms ** 2
    return x, a, {"logp": s + deg, "sol": s - deg, "tox": s * deg}


net = MPNN()
pc = PCGrad(torch.optim.Adam(net.parameters(), lr=3e-3))
history = {t: [] for t in TASKS}
for it in range(800):
    x, a, y = molecules(16)
    out = net(x, a)
    losses = [nn.functional.mse_loss(out[t], y[t]) for t in TASKS]
    pc.step(losses)
    for t, l in zip(TASKS, losses):
        history[t].append(l.item())
print({t: sum(h[-50:]) / 50 for t, h in history.items()})
