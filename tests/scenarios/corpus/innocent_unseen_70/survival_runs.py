# gradwatch-corpus: kind=none
# Cox model for time to relapse: a few learning rates are compared, then the winner is calibrated.
# %%
import copy

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(42)

PATIENTS, MARKERS = 320, 7

# %% cohort
x = torch.randn(PATIENTS, MARKERS)
risk_true = 0.8 * x[:, 0] - 0.5 * x[:, 1] * x[:, 2] + 0.3 * x[:, 3].abs()
time = torch.distributions.Exponential(torch.exp(risk_true)).sample()
censor = torch.distributions.Exponential(torch.full((PATIENTS,), 0.4)).sample()
event = (time <= censor).float()
time = torch.minimum(time, censor)
train, test = slice(0, 240), slice(240, None)


# %% model
class RiskNet(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.hidden = nn.Linear(MARKERS, hidden)
        self.out = nn.Linear(hidden, 1, bias=False)

    def forward(self, markers):
        return self.out(torch.relu(self.hidden(markers))).squeeze(-1)


def partial_likelihood(risk, when, happened):
    order = torch.argsort(when, descending=True)
    risk, happened = risk[order], happened[order]
    log_at_risk = torch.logcumsumexp(risk, dim=0)
    return -((risk - log_at_risk) * happened).sum() / happened.sum().clamp(min=1)


@torch.no_grad()
def concordance(net):
    r, t, e = net(x[test]), time[test], event[test]
    comparable = (t[:, None] < t[None, :]) & (e[:, None] > 0)
    right = (r[:, None] > r[None, :]) & comparable
    return (right.sum() / comparable.sum()).item()


# %% runs
def run(lr, steps=80, batch=80, patience=60):
    net = RiskNet()
    opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9, weight_decay=1e-3)
    best, best_net, waited = None, None, 0
    for step in range(steps):
        rows = torch.randperm(240)[:batch]
        loss = partial_likelihood(net(x[rows]), time[rows], event[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if best is None or loss < best:
            best, waited = loss, 0
            best_net = copy.deepcopy(net)
        else:
            waited += 1
        if waited > patience:
            break
    return {"best": best, "net": best_net, "concordance": concordance(best_net)}


results = {lr: run(lr) for lr in (0.003, 0.01, 0.05)}
for lr, r in results.items():
    print(f"lr {lr:<6} best {r['best'].item():.3f} concordance {r['concordance']:.3f}")

# %% calibration of the winner: baseline hazard of Weibull type
winner = max(results.values(), key=lambda r: r["concordance"])["net"]
with torch.no_grad():
    risk = winner(x[train])
shape, scale, slope = (nn.Parameter(torch.tensor(v)) for v in (0.0, 0.0, 1.0))
lbfgs = torch.optim.LBFGS([shape, scale, slope], lr=0.5, max_iter=4)


def negative_log_likelihood():
    k = shape.exp()
    logt = time[train].clamp(min=1e-4).log()
    log_hazard = shape + scale + (k - 1) * logt + slope * risk
    cumulative = torch.exp(scale + k * logt + slope * risk)
    return -(event[train] * log_hazard - cumulative).mean()


def closure():
    lbfgs.zero_grad()
    value = negative_log_likelihood()
    value.backward()
    return value


values = None
for sweep in range(25):
    values = lbfgs.step(closure)
    if sweep % 8 == 0:
        print(f"sweep {sweep}: nll {values.item():.4f}")
print(f"shape {shape.exp().item():.3f} slope {slope.item():.3f}")
