# gradwatch-corpus: kind=graph-chain
# holder: params | W1
# first-bad: 1
# assignment: two-layer net without torch.optim
import torch

torch.manual_seed(0)

N, D_in, H, D_out = 64, 12, 24, 1
x = torch.randn(N, D_in)
true_w = torch.randn(D_in, D_out)
y = torch.sin(x @ true_w) + 0.05 * torch.randn(N, D_out)

W1 = (torch.randn(D_in, H) * 0.3).requires_grad_()
b1 = torch.zeros(H, requires_grad=True)
W2 = (torch.randn(H, D_out) * 0.3).requires_grad_()
b2 = torch.zeros(D_out, requires_grad=True)
params = [W1, b1, W2, b2]


def net(inp, params):
    W1, b1, W2, b2 = params
    h = torch.relu(inp @ W1 + b1)
    return h @ W2 + b2


def mse(a, b):
    return ((a - b) ** 2).mean()


def minibatch(i, bs=16):
    k = (i * bs) % N
    return x[k:k + bs], y[k:k + bs]


lr = 0.05
log = {"iter": [], "loss": []}
i = 0
while i < 600:
    xb, yb = minibatch(i)
    y_pred = net(xb, params)
    loss = mse(y_pred, yb)

    grads = torch.autograd.grad(loss, params)

    # gradient descent step
    new_params = []
    for p, g in zip(params, grads):
        new_params.append(p - lr * g)  # <- culprit
    params = new_params  # <- culprit

    if i % 100 == 0:
        log["iter"].append(i)
        log["loss"].append(loss.item())
        print(i, loss.item())
    i += 1

with torch.no_grad():
    final = mse(net(x, params), y)
print("final full-batch mse:", final.item())
print("points logged:", len(log["iter"]))
for a, b in zip(log["iter"], log["loss"]):
    print("  %4d -> %.4f" % (a, b))
