# gradwatch-corpus: kind=second-backward
# first-bad: 1
# GP regression of soil moisture over a field, learning the kernel by
# maximising the log marginal likelihood
import math

import torch

torch.manual_seed(77)

n = 50
coords = torch.rand(n, 2) * 4
moisture = torch.sin(1.5 * coords[:, 0]) * torch.cos(coords[:, 1]) + 0.1 * torch.randn(n)
moisture = moisture - moisture.mean()

test_coords = torch.rand(20, 2) * 4

log_length = torch.zeros(2, requires_grad=True)
log_scale = torch.zeros((), requires_grad=True)
log_noise = torch.tensor(-1.0, requires_grad=True)
trend = torch.zeros(2, requires_grad=True)
params = [log_length, log_scale, log_noise, trend]
optimizer = torch.optim.Adam(params, lr=0.02)


def kernel(a, b):
    a = a / log_length.exp()
    b = b / log_length.exp()
    sq = ((a.unsqueeze(1) - b.unsqueeze(0)) ** 2).sum(-1)
    return log_scale.exp() * torch.exp(-0.5 * sq)


def neg_log_marginal(K, residual):
    L = torch.linalg.cholesky(K)
    alpha = torch.cholesky_solve(residual.unsqueeze(1), L).squeeze(1)
    fit = 0.5 * residual @ alpha
    complexity = L.diagonal().log().sum()
    return (fit + complexity + 0.5 * n * math.log(2 * math.pi)) / n


def predict(K):
    with torch.no_grad():
        res = moisture - coords @ trend
        k_star = kernel(test_coords, coords)
        return test_coords @ trend + k_star @ torch.linalg.solve(K, res)


jitter = 1e-4 * torch.eye(n)
K_base = kernel(coords, coords)  # <- culprit

best = float("inf")
patience = 0
for it in range(500):
    K = K_base + log_noise.exp() * torch.eye(n) + jitter
    residual = moisture - coords @ trend

    nll = neg_log_marginal(K, residual)
    optimizer.zero_grad()
    nll.backward()
    optimizer.step()

    value = nll.item()
    if value < best - 1e-5:
        best, patience = value, 0
    else:
        patience += 1
    if it % 50 == 0:
        print(
            f"it {it:3d} nll {value:.4f} length {[round(v, 3) for v in log_length.exp().tolist()]} "
            f"scale {log_scale.exp().item():.3f} noise {log_noise.exp().item():.3f}"
        )
    if patience > 480:
        break

mean = predict(K.detach())
print("predicted moisture:", [round(v, 3) for v in mean[:5].tolist()])
