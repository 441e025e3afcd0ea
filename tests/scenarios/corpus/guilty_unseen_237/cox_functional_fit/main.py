# gradwatch-corpus: kind=graph-chain
# holder: params
# first-bad: 1
import torch

from cohort import make_cohort
from risk import c_index, cox_loss, init_params, log_risk

STEPS = 150
BATCH = 128
LR = 0.05
L2 = 1e-3

gen = torch.Generator().manual_seed(99)
x, time, event = make_cohort(1500, gen)
x_val, time_val, event_val = make_cohort(400, gen)


def penalised(params, rows):
    score = log_risk(params, x[rows])
    ridge = sum(p.pow(2).sum() for p in params.values())
    return cox_loss(score, time[rows], event[rows]) + L2 * ridge


def gradient_step(params, loss, lr):
    grads = torch.autograd.grad(loss, list(params.values()))
    new = {}
    for (name, p), g in zip(params.items(), grads):
        new[name] = p - lr * g.clamp(-1, 1)  # <- culprit
    return new


params = init_params(x.shape[1], 24, gen)
trace = {"step": [], "loss": [], "c_index": []}

for step in range(STEPS):
    rows = torch.randint(0, len(x), (BATCH,), generator=gen)
    loss = penalised(params, rows)
    params = gradient_step(params, loss, LR)  # <- culprit

    if step % 25 == 0 or step == STEPS - 1:
        with torch.no_grad():
            ci = c_index(log_risk(params, x_val), time_val, event_val)
        trace["step"].append(step)
        trace["loss"].append(loss.item())
        trace["c_index"].append(ci)
        print(f"step {step:3d}  partial-lik {loss.item():.3f}  val c-index {ci:.3f}")

print(f"best c-index {max(trace['c_index']):.3f}")
