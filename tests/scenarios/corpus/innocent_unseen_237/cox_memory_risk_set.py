# gradwatch-corpus: kind=none
"""DeepSurv with small batches: the risk set is widened by a FIFO memory of earlier (frozen) risk scores."""
import torch
from torch import nn

torch.manual_seed(207)

MEMORY = 256
BATCH = 32
STEPS = 160


class RiskNet(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, 32), nn.SELU(), nn.Linear(32, 16), nn.SELU(), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x)[:, 0]


class RiskMemory:
    def __init__(self, size):
        self.size = size
        self.score = torch.empty(0)
        self.time = torch.empty(0)

    def push(self, score, time):
        with torch.no_grad():
            self.score = torch.cat([self.score, score])[-self.size:].clone()
            self.time = torch.cat([self.time, time])[-self.size:].clone()

    def __len__(self):
        return len(self.score)


def trial_patients(n):
    x = torch.randn(n, 12)
    risk = 0.9 * x[:, 0] - 0.6 * x[:, 3] + 0.4 * x[:, 1] * x[:, 2]
    t = torch.distributions.Exponential(risk.exp()).sample()
    c = torch.rand(n) * 2.5
    return x, torch.minimum(t, c), (t <= c).float()


def partial_likelihood(score, time, event, memory):
    all_score = torch.cat([score, memory.score])
    all_time = torch.cat([time, memory.time])
    at_risk = all_time.unsqueeze(0) >= time.unsqueeze(1)
    masked = all_score.unsqueeze(0).masked_fill(~at_risk, float("-inf"))
    contribution = score - torch.logsumexp(masked, dim=1)
    return -(contribution * event).sum() / event.sum().clamp(min=1)


def concordance(score, time, event):
    pairs = (time.unsqueeze(1) < time.unsqueeze(0)) & event.bool().unsqueeze(1)
    return ((score.unsqueeze(1) > score.unsqueeze(0)) & pairs).sum().item() / pairs.sum().item()


net = RiskNet(12)
memory = RiskMemory(MEMORY)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
xv, tv, ev = trial_patients(400)
out = {"step": [], "loss": [], "c": []}
best = {"c": 0.0, "state": None}
avg = torch.zeros(())

for step in range(STEPS):
    x, t, e = trial_patients(BATCH)
    score = net(x)
    loss = partial_likelihood(score, t, e, memory)
    opt.zero_grad()
    loss.backward()
    opt.step()
    memory.push(score, t)
    with torch.no_grad():
        avg = 0.95 * avg + 0.05 * loss
    if step % 20 == 19:
        with torch.no_grad():
            c = concordance(net(xv), tv, ev)
        if c > best["c"]:
            best = {"c": c, "state": {k: v.clone() for k, v in net.state_dict().items()}}
        for k, v in zip(out, (step, avg.item(), c)):
            out[k].append(v)
        print(f"step {step + 1} avg={avg.item():.3f} c={c:.3f} memory={len(memory)}")

net.load_state_dict(best["state"])
print(f"best c-index {best['c']:.3f}")
