# gradwatch-corpus: kind=none
"""Multi-task crop monitoring (yield, moisture, disease) with projected conflicting gradients."""
import itertools

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

TASKS = ("yield", "moisture", "disease")


class FieldNet(nn.Module):
    def __init__(self, bands, width=48):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(bands, width),
            nn.ReLU(),
            nn.Linear(width, width),
            nn.ReLU(),
        )
        self.heads = nn.ModuleDict({t: nn.Linear(width, 1) for t in TASKS})

    def forward(self, x):
        h = self.trunk(x)
        return {t: head(h).squeeze(-1) for t, head in self.heads.items()}


def losses(out, truth):
    return {
        "yield": nn.functional.mse_loss(out["yield"], truth["yield"]),
        "moisture": nn.functional.l1_loss(out["moisture"], truth["moisture"]),
        "disease": nn.functional.binary_cross_entropy_with_logits(out["disease"], truth["disease"]),
    }


class PCGrad:
    def __init__(self, optimizer, shared):
        self.optimizer = optimizer
        self.shared = list(shared)
        self.conflicts = 0

    def project(self, grads):
        merged = [g.clone() for g in grads]
        for i, j in itertools.permutations(range(len(grads)), 2):
            dot = merged[i] @ grads[j]
            if dot < 0:
                self.conflicts += 1
                merged[i] -= dot / grads[j].pow(2).sum().clamp(min=1e-12) * grads[j]
        return torch.stack(merged).sum(0)

    def step(self, objectives):
        self.optimizer.zero_grad()
        collected = []
        last = len(objectives) - 1
        for k, objective in enumerate(objectives):
            for p in self.shared:
                p.grad = None
            objective.backward(retain_graph=k < last)
            flat = torch.cat([p.grad.flatten() for p in self.shared])
            collected.append(flat)
        merged = self.project(collected)
        offset = 0
        for p in self.shared:
            n = p.numel()
            p.grad = merged[offset:offset + n].view_as(p)
            offset += n
        self.optimizer.step()


def fields(n, mix):
    x = torch.randn(n, mix.shape[0])
    raw = torch.tanh(x @ mix)
    truth = {
        "yield": raw[:, 0] - 0.5 * raw[:, 1],
        "moisture": -raw[:, 0] + 0.2 * raw[:, 2],
        "disease": (raw[:, 1] > 0).float(),
    }
    return x, truth


def main():
    torch.manual_seed(27)
    mix = torch.randn(12, 3) / 3
    net = FieldNet(12)
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    surgeon = PCGrad(optimizer, net.trunk.parameters())
    average = parameters_to_vector(net.parameters()).detach().clone()
    history = {t: [] for t in TASKS}
    for it in range(150):
        x, truth = fields(64, mix)
        parts = losses(net(x), truth)
        surgeon.step(list(parts.values()))
        with torch.no_grad():
            average.lerp_(parameters_to_vector(net.parameters()), 0.05)
        for t, value in parts.items():
            history[t].append(value.item())
        if it % 30 == 29:
            recent = {t: round(sum(h[-30:]) / 30, 4) for t, h in history.items()}
            print(it + 1, recent, "conflicts", surgeon.conflicts)
    with torch.no_grad():
        vector_to_parameters(average, net.parameters())
        x, truth = fields(512, mix)
        final = {t: round(v.item(), 4) for t, v in losses(net(x), truth).items()}
    print("averaged weights", final)


if __name__ == "__main__":
    main()
