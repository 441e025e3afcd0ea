import torch


def init_weights(hidden, seed):
    g = torch.Generator().manual_seed(seed)
    shapes = [(1, hidden), (hidden,), (hidden, hidden), (hidden,), (hidden, 1), (1,)]
    weights = []
    for shape in shapes:
        if len(shape) == 2:
            w = torch.randn(shape, generator=g) / shape[0] ** 0.5
        else:
            w = torch.zeros(shape)
        weights.append(w.requires_grad_())
    return weights


def forward(w, x):
    h = torch.tanh(x @ w[0] + w[1])
    h = torch.tanh(h @ w[2] + w[3])
    return h @ w[4] + w[5]


def adapt(weights, rates, x, y, steps):
    fast = list(weights)
    path = []
    for _ in range(steps):
        loss = (forward(fast, x) - y).pow(2).mean()
        grads = torch.autograd.grad(loss, fast, create_graph=True)
        fast = [w - r * g for w, r, g in zip(fast, rates, grads)]
        path.append(loss)
    return fast, path
