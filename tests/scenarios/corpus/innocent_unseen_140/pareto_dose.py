# gradwatch-corpus: kind=none
"""Min-norm compromise between efficacy, toxicity and cost of a dosing policy."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(73)

policy = nn.Sequential(nn.Linear(4, 10), nn.Tanh(), nn.Linear(10, 3), nn.Softplus())
weights = list(policy.parameters())
opt = torch.optim.SGD(weights, lr=0.05)


def cohort(n=16):
    return torch.randn(n, 4)


def outcomes(patients):
    dose = policy(patients)
    clearance = torch.exp(0.3 * patients[:, :1])
    level = (dose / clearance).cumsum(1)
    efficacy = torch.sigmoid(2 * (level - 1.2 - 0.2 * patients[:, 1:2])).mean()
    toxicity = torch.relu(level - 2.0).pow(2).mean() + 0.1 * torch.sigmoid(4 * (level - 2.5)).mean()
    return {"failure": 1 - efficacy, "toxicity": toxicity, "cost": 0.1 * dose.sum(1).mean()}


def flat(tensors):
    return torch.cat([t.reshape(-1) for t in tensors])


def slopes(objectives):
    names, rows = list(objectives), []
    for i, name in enumerate(names):
        more = i + 1 < len(names)
        rows.append(flat(torch.autograd.grad(objectives[name], weights, retain_graph=more)))
    return torch.stack(rows)


def min_norm(G, sweeps=12):
    """Frank-Wolfe on the simplex."""
    M = G @ G.T
    a = torch.full((len(G),), 1 / len(G))
    for _ in range(sweeps):
        j = int((M @ a).argmin())
        d = torch.eye(len(G))[j] - a
        curvature = d @ M @ d
        if curvature <= 1e-12:
            break
        a = a + (-(d @ M @ a) / curvature).clamp(0, 1) * d
    return a


def assign(direction):
    at = 0
    for w in weights:
        w.grad = direction[at:at + w.numel()].view_as(w).clone()
        at += w.numel()


front = []
for visit in range(1300):
    goals = outcomes(cohort())
    G = slopes(goals)
    a = min_norm(G)
    assign(a @ G)
    opt.step()
    if visit % 10 == 9:
        front = (front + [{k: v.item() for k, v in goals.items()}])[-40:]
    if visit % 260 == 259:
        print(visit + 1, {k: round(v.item(), 4) for k, v in goals.items()}, [round(v, 2) for v in a.tolist()])
print("best efficacy on the recent front", 1 - min(p["failure"] for p in front))
