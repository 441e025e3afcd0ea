# gradwatch-corpus: kind=graph-chain
# holder: belief | belief.mean | belief.cov
# first-bad: 1
# notice: 5
# %% tracking a drifting clock: learn process and measurement noise while filtering
import math
from dataclasses import dataclass
import torch

torch.set_num_threads(1)
torch.manual_seed(1905)
torch.set_default_dtype(torch.float64)

# %% constants of the experiment
dt = 1.0
A = torch.tensor([[1.0, dt], [0.0, 1.0]])
C = torch.tensor([[1.0, 0.0]])
Q_shape = torch.tensor([[dt ** 3 / 3, dt ** 2 / 2], [dt ** 2 / 2, dt]])


@dataclass
class Gaussian:
    mean: torch.Tensor
    cov: torch.Tensor


# %% synthetic clock
def clock(n, q=0.02, r=0.6):
    L = torch.linalg.cholesky(q * Q_shape + 1e-12 * torch.eye(2))
    x = torch.zeros(2)
    for _ in range(n):
        x = A @ x + L @ torch.randn(2)
        yield x[0] + math.sqrt(r) * torch.randn(())


# %% filter
def predict(b, q):
    return Gaussian(A @ b.mean, A @ b.cov @ A.T + q * Q_shape)


def correct(b, y, r):
    S = (C @ b.cov @ C.T).squeeze() + r
    nu = y - (C @ b.mean).squeeze()
    gain = (b.cov @ C.T).squeeze(1) / S
    mean = b.mean + gain * nu
    I_KC = torch.eye(2) - torch.outer(gain, C[0])
    cov = I_KC @ b.cov @ I_KC.T + r * torch.outer(gain, gain)
    return Gaussian(mean, cov), 0.5 * (S.log() + nu ** 2 / S)


# %% parameters and learning
log_q = torch.tensor(-1.0, requires_grad=True)
log_r = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.Adam([log_q, log_r], lr=0.02)

belief = Gaussian(torch.zeros(2), torch.eye(2))
running = None
for k, y in enumerate(clock(210)):
    prior = predict(belief, log_q.exp())
    belief, nll = correct(prior, y, log_r.exp())  # <- culprit
    opt.zero_grad()
    nll.backward(retain_graph=True)  # <- culprit
    torch.nn.utils.clip_grad_value_([log_q, log_r], 1.0)
    opt.step()
    running = nll.item() if running is None else 0.95 * running + 0.05 * nll.item()
    if k % 42 == 41:
        print(f"{k + 1:4d}  nll {running:.3f}  q {log_q.exp().item():.4f}  r {log_r.exp().item():.4f}")

# %%
sd = belief.cov.diagonal().sqrt().tolist()
print("final phase %.3f +- %.3f, drift %.4f +- %.4f" % (belief.mean[0].item(), sd[0], belief.mean[1].item(), sd[1]))
