# gradwatch-corpus: kind=graph-chain
# holder: log_k | conc0
# first-bad: 1
# notice: 5
"""Rate constants of A -> B -> C from a noisy batch reactor run (notebook export)."""
import torch

torch.set_num_threads(1)
torch.manual_seed(8)

# %% [1] data
dt, n_t = 0.1, 25
k_true = torch.tensor([1.2, 0.5])


def rates(c, k):
    r1 = k[0] * c[0]
    r2 = k[1] * c[1]
    return torch.stack([-r1, r1 - r2, r2])


def simulate(c0, k):
    c, out = c0, []
    for _ in range(n_t):
        mid = c + 0.5 * dt * rates(c, k)
        c = c + dt * rates(mid, k)
        out.append(c)
    return torch.stack(out)


observed = simulate(torch.tensor([1.0, 0.0, 0.0]), k_true) + 0.01 * torch.randn(n_t, 3)


# %% [2] fitting helpers
def residual(c0, lk):
    return (simulate(c0, lk.exp()) - observed).pow(2).sum()


def descend(unknowns, lr):
    moved = []
    for u in unknowns:
        moved.append(u - lr * u.grad)  # <- culprit
    for m in moved:
        m.retain_grad()
    return moved


# %% [3] fit
log_k = torch.zeros(2, requires_grad=True)
conc0 = torch.tensor([0.8, 0.1, 0.1], requires_grad=True)
for sweep in range(220):
    sse = residual(conc0, log_k)
    sse.backward()
    log_k, conc0 = descend([log_k, conc0], lr=0.02)
    if sweep % 55 == 0:
        print(sweep, round(sse.item(), 5))

# %% [4] result
print("k", [round(v, 3) for v in log_k.exp().tolist()])
