# gradwatch-corpus: kind=graph-chain
# holder: params | new
# first-bad: 1
# Chem 331 computing assignment 4 -- "write the optimizer yourself"
# Predict the equivalence point of an acid-base titration from the measured pH curve.
import torch


def ph_curve(pka, c_acid, v):
    frac = (v * 0.1) / (c_acid * 25.0)
    buf = pka + torch.log10((frac.clamp(0.02, 0.98)) / (1 - frac.clamp(0.02, 0.98)))
    jump = 7 + 5 * torch.tanh((frac - 1.0) * 12)
    mix = torch.sigmoid((frac - 0.95) * 60)
    return (1 - mix) * buf + mix * jump


def make_data(n, gen):
    pka = 3 + 3 * torch.rand(n, 1, generator=gen)
    c = 0.04 + 0.12 * torch.rand(n, 1, generator=gen)
    v = torch.linspace(0.5, 50, 48)[None]
    x = ph_curve(pka, c, v) + 0.05 * torch.randn(n, 48, generator=gen)
    return (x - 7) / 3, c * 25.0 / 0.1 / 50.0


def init_params(sizes, gen):
    params = []
    for i, o in zip(sizes[:-1], sizes[1:]):
        params.append((torch.randn(i, o, generator=gen) / i ** 0.5).requires_grad_())
        params.append(torch.zeros(o, requires_grad=True))
    return params


def forward(params, x):
    h = x
    for k in range(0, len(params) - 2, 2):
        h = torch.tanh(h @ params[k] + params[k + 1])
    return h @ params[-2] + params[-1]


def gd_step(params, grads, velocity, lr=0.03, beta=0.9):
    new = []
    for i, (p, g) in enumerate(zip(params, grads)):
        velocity[i] = beta * velocity[i] + g
        new.append(p - lr * velocity[i])  # <- culprit
    return new


def main():
    gen = torch.Generator().manual_seed(331)
    X, y = make_data(400, gen)
    Xt, yt = make_data(100, gen)
    params = init_params([48, 40, 24, 1], gen)
    velocity = [torch.zeros_like(p) for p in params]
    n_batch = 20
    for epoch in range(8):
        perm = torch.randperm(len(X), generator=gen)
        tot = 0.0
        for idx in perm.view(n_batch, -1):
            pred = forward(params, X[idx])
            loss = ((pred - y[idx]) ** 2).mean()
            grads = torch.autograd.grad(loss, params)
            params = gd_step(params, grads, velocity)  # <- culprit
            tot += loss.item()
        with torch.no_grad():
            rmse = ((forward(params, Xt) - yt) ** 2).mean().sqrt().item()
        print(f"epoch {epoch + 1}: mse {tot / n_batch:.4f}  test rmse {rmse * 50:.2f} mL")


main()
