# gradwatch-corpus: kind=graph-chain
# holder: params[name] | params | new | params["W1"]
# first-bad: 1
"""CS exercise 1: a two-layer network 'from scratch' - no nn.Module, no torch.optim, only tensors and autograd -
on the XOR-of-quadrants toy set."""
import torch

torch.manual_seed(0)

# hyperparameters
D, H, C = 2, 32, 2
LR = 0.5
EPOCHS = 600
BATCH = 128


def make_data(n):
    x = torch.rand(n, D) * 2 - 1
    y = ((x[:, 0] * x[:, 1]) > 0).long()
    return x, y


def init_params():
    params = {
        "W1": torch.randn(D, H) * 0.8,
        "b1": torch.zeros(H),
        "W2": torch.randn(H, C) * 0.2,
        "b2": torch.zeros(C),
    }
    for p in params.values():
        p.requires_grad_(True)
    return params


def forward(params, x):
    h = torch.tanh(x @ params["W1"] + params["b1"])
    return h @ params["W2"] + params["b2"]


def log_softmax(z):
    z = z - z.max(dim=1, keepdim=True).values
    return z - z.exp().sum(dim=1, keepdim=True).log()


def nll(logp, y):
    return -logp[torch.arange(len(y)), y].mean()


def sgd_update(params, lr):
    """theta <- theta - lr * grad"""
    new = {}
    for name, p in params.items():
        new[name] = p - lr * p.grad  # <- culprit
        new[name].retain_grad()
    return new


def accuracy(params, x, y):
    with torch.no_grad():
        return (forward(params, x).argmax(1) == y).float().mean().item()


x_train, y_train = make_data(1000)
x_test, y_test = make_data(500)
params = init_params()
losses = []

for epoch in range(EPOCHS):
    idx = torch.randint(0, len(x_train), (BATCH,))
    xb, yb = x_train[idx], y_train[idx]

    logp = log_softmax(forward(params, xb))
    loss = nll(logp, yb)
    loss.backward()
    params = sgd_update(params, LR)  # <- culprit

    losses.append(loss.item())
    if epoch % 100 == 0:
        print("epoch", epoch, "loss %.4f" % losses[-1], "train acc %.3f" % accuracy(params, x_train, y_train))

print("mean of the last 50 losses: %.4f" % (sum(losses[-50:]) / 50))
print("test accuracy: %.3f" % accuracy(params, x_test, y_test))
print("norm of W1: %.3f" % params["W1"].detach().norm().item())
