# gradwatch-corpus: kind=graph-chain
# holder: params
# first-bad: 1
# HW3 - two-layer network "from scratch", only autograd allowed.
import torch
import torch.nn.functional as F

torch.manual_seed(3)


def two_spirals(n, noise=0.05):
    t = torch.sqrt(torch.rand(n)) * 3.5 * torch.pi / 1.5
    y = (torch.rand(n) > 0.5).long()
    sign = 2.0 * y.float() - 1
    x = torch.stack([sign * t * t.cos(), sign * t * t.sin()], 1) / 6.0
    return x + noise * torch.randn_like(x), y


def init(sizes):
    params = []
    for i, o in zip(sizes[:-1], sizes[1:]):
        params.append((torch.randn(i, o) * (2.0 / i) ** 0.5).requires_grad_())
        params.append(torch.zeros(o, requires_grad=True))
    return params


def forward(params, x):
    n = len(params) // 2
    for k in range(n):
        W, b = params[2 * k], params[2 * k + 1]
        x = x @ W + b
        if k < n - 1:
            x = torch.relu(x)
    return x


def objective(params, x, y, wd=1e-4):
    nll = F.cross_entropy(forward(params, x), y)
    l2 = sum((p ** 2).sum() for p in params[::2])
    return nll + wd * l2


def sgd_step(params, grads, velocity, lr, mu=0.9):
    velocity = [mu * v + g for v, g in zip(velocity, grads)]
    params = [p - lr * v for p, v in zip(params, velocity)]  # <- culprit
    return params, velocity


def accuracy(params, x, y):
    with torch.no_grad():
        return (forward(params, x).argmax(1) == y).float().mean().item()


X, Y = two_spirals(2000)
Xv, Yv = two_spirals(500)

params = init([2, 64, 64, 2])
velocity = [torch.zeros_like(p) for p in params]

lr = 0.05
curve = []
for step in range(200):
    idx = torch.randint(0, len(X), (128,))
    loss = objective(params, X[idx], Y[idx])
    grads = torch.autograd.grad(loss, params)
    params, velocity = sgd_step(params, grads, velocity, lr)  # <- culprit
    curve.append(loss.item())
    if step % 50 == 49:
        lr *= 0.7
        print(step + 1, sum(curve[-50:]) / 50, accuracy(params, Xv, Yv))
