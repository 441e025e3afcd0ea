# gradwatch-corpus: kind=none
"""Learning rate tuned by hypergradients over short unrolled windows."""
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(19)
UNROLL = 4


def predict(w, x):
    return torch.tanh(x @ w[0] + w[1]) @ w[2] + w[3]


def problem(n):
    x = torch.randn(n, 3)
    return x, (x[:, :1] * x[:, 1:2]) + 0.3 * x[:, 2:]


log_lr = torch.tensor(-2.5, requires_grad=True)
decay = torch.tensor(-5.0, requires_grad=True)
meta = torch.optim.Adam([log_lr, decay], lr=0.03)

w = [torch.randn(3, 16) * 0.5, torch.zeros(16), torch.randn(16, 1) * 0.2, torch.zeros(1)]
w = [p.requires_grad_() for p in w]
curve = []
for outer in range(100):
    w = [p.detach().requires_grad_() for p in w]
    fast = w
    for _ in range(UNROLL):
        x, y = problem(32)
        loss = F.mse_loss(predict(fast, x), y)
        grads = torch.autograd.grad(loss, fast, create_graph=True)
        lr, wd = log_lr.exp(), decay.exp()
        fast = [p - lr * (g + wd * p) for p, g in zip(fast, grads)]
    xv, yv = problem(64)
    val = F.mse_loss(predict(fast, xv), yv)
    meta.zero_grad()
    val.backward()
    torch.nn.utils.clip_grad_value_([log_lr, decay], 1.0)
    meta.step()
    w = fast
    curve.append(val.item())
    if outer % 25 == 0:
        print(outer, "val %.4f lr %.4f wd %.5f" % (curve[-1], log_lr.exp().item(), decay.exp().item()))
