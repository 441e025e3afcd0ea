# gradwatch-corpus: kind=graph-held
# holder: w.grad | W1.grad | b1.grad | W2.grad | b2.grad | params[0].grad
# first-bad: 1
# notice: 60
# credit default toy, hand written SGD like in the 2017 lecture notes
import torch
torch.set_num_threads(1)

torch.manual_seed(20)
N, D, H = 300, 6, 10
X = torch.randn(N, D)
y = ((X[:, 0] * X[:, 1] + 0.5 * X[:, 2]) > 0).float()

W1 = (torch.randn(D, H) * 0.4).requires_grad_(True)
b1 = torch.zeros(H, requires_grad=True)
W2 = (torch.randn(H, 1) * 0.4).requires_grad_(True)
b2 = torch.zeros(1, requires_grad=True)
params = [W1, b1, W2, b2]


def model(x):
    return ((x @ W1 + b1).tanh() @ W2 + b2).squeeze(1)


def bce(z, t):
    return (torch.nn.functional.softplus(z) - z * t).mean()


def sharpness():
    g = torch.cat([w.grad.detach().flatten() for w in params])
    return g.norm().item()


lr = 0.3
for it in range(500):
    idx = torch.randint(0, N, (25,))
    loss = bce(model(X[idx]), y[idx])
    loss.backward(create_graph=True)  # <- culprit
    g = sharpness()
    for w in params:
        w.data -= lr / (1 + g) * w.grad.data
        w.grad.data.zero_()  # <- culprit
    if it % 100 == 0:
        acc = ((model(X) > 0).float() == y).float().mean().item()
        print(f"{it:4d}  loss {loss.item():.3f}  |g| {g:.3f}  acc {acc:.3f}")
