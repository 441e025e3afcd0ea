# gradwatch-corpus: kind=none
# Toxicity panel (three assays) with gradient-norm balancing of the assay weights.
import torch
import torch.nn as nn

torch.manual_seed(83)

ASSAYS = ("herg", "ames", "dili")
SCALES = (1.0, 4.0, 0.3)
BITS = 80
ROUNDS = 100


class Panel(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(BITS, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
        self.heads = nn.ModuleDict({a: nn.Linear(32, 1) for a in ASSAYS})

    def forward(self, bits):
        h = self.shared(bits)
        return {a: head(h).squeeze(1) for a, head in self.heads.items()}


class GradBalancer:
    def __init__(self, anchor, rate=0.1):
        self.anchor = anchor
        self.rate = rate
        self.weights = {a: 1.0 for a in ASSAYS}

    def measure(self, losses):
        norms = {}
        for a, loss in losses.items():
            (g,) = torch.autograd.grad(loss, self.anchor, retain_graph=True)
            norms[a] = g.norm().item()
        return norms

    def update(self, losses):
        norms = self.measure(losses)
        mean = sum(norms.values()) / len(norms)
        for a in ASSAYS:
            wanted = mean / max(norms[a], 1e-6)
            self.weights[a] = (1 - self.rate) * self.weights[a] + self.rate * wanted
        return norms

    def combine(self, losses):
        return sum(self.weights[a] * losses[a] for a in ASSAYS)


truth = torch.randn(BITS, len(ASSAYS)) * 0.3
panel = Panel()
balancer = GradBalancer(panel.shared[2].weight)
opt = torch.optim.Adam(panel.parameters(), lr=1e-3)
log = {a: [] for a in ASSAYS}

for r in range(ROUNDS):
    bits = (torch.rand(48, BITS) < 0.25).float()
    targets = (bits @ truth) * torch.tensor(SCALES)
    preds = panel(bits)
    losses = {a: nn.functional.mse_loss(preds[a], targets[:, i]) for i, a in enumerate(ASSAYS)}
    balancer.update(losses)
    total = balancer.combine(losses)
    opt.zero_grad()
    total.backward()
    opt.step()
    for a in ASSAYS:
        log[a].append(float(losses[a].detach()))
    if r % 25 == 0:
        weights = {a: round(w, 2) for a, w in balancer.weights.items()}
        print(f"round {r}: total={total.item():.3f} weights={weights}")

print({a: round(v[-1], 3) for a, v in log.items()})
