import torch


def init(hidden):
    shapes = [(1, hidden), (hidden,), (hidden, 1), (1,)]
    return [(torch.randn(s) * 0.5).requires_grad_() for s in shapes]


def predict(weights, x):
    w1, b1, w2, b2 = weights
    return torch.tanh(x @ w1 + b1) @ w2 + b2


def adapt(weights, x, y, steps, rate):
    fast = list(weights)
    for _ in range(steps):
        loss = (predict(fast, x) - y).pow(2).mean()
        slopes = torch.autograd.grad(loss, fast, create_graph=True)
        fast = [w - rate * g for w, g in zip(fast, slopes)]
    return fast
