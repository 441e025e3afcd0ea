# gradwatch-corpus: kind=none
# %% sparse temperature logs, one GP per borehole, L-BFGS on the evidence
import math
import torch

torch.set_num_threads(1)
torch.manual_seed(3)
torch.set_default_dtype(torch.float64)

# %%
def borehole():
    depth = torch.sort(torch.rand(14)).values
    temp = 8 + 20 * depth + 2 * torch.sin(7 * depth + torch.rand(())) + 0.2 * torch.randn(14)
    return depth, (temp - temp.mean()) / temp.std()


def kernel(a, b, ell, amp):
    r = (a[:, None] - b[None]).abs() / ell
    return amp * (1 + math.sqrt(3) * r) * torch.exp(-math.sqrt(3) * r)


def negative_evidence(raw, z, y):
    ell, amp, noise = raw.exp()
    K = kernel(z, z, ell, amp) + (noise + 1e-4) * torch.eye(len(z))
    L = torch.linalg.cholesky(K)
    a = torch.cholesky_solve(y[:, None], L)
    prior = 0.5 * ((raw - torch.tensor([-1.0, 0.0, -2.5])) ** 2).sum()
    return 0.5 * (y @ a.squeeze()) + L.diagonal().log().sum() + prior


# %%
evals = []
lengths = []


def closure():
    solver.zero_grad()
    value = negative_evidence(raw, z, y)
    evals.append(value)
    value.backward()
    return value


# %% every hole gets a handful of outer steps; the last value seen is what we report
for hole in range(150):
    z, y = borehole()
    raw = torch.tensor([-1.0, 0.0, -2.5], requires_grad=True)
    solver = torch.optim.LBFGS([raw], lr=0.4, max_iter=4)
    for outer in range(3):
        solver.step(closure)
        first, last = evals[0].item(), evals[-1].item()
        n_evals = len(evals)
        evals.clear()
    lengths.append(raw[0].exp().item())
    if hole % 30 == 29:
        print(f"hole {hole + 1:3d}: evidence {-last:.3f} ({first - last:+.4f} in {n_evals} evaluations) ell {lengths[-1]:.3f}")

# %%
lengths.sort()
print("median length scale", lengths[len(lengths) // 2])
