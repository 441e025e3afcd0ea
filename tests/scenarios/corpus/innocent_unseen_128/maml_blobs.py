# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
import torch.nn.functional as F

gen = torch.Generator().manual_seed(7)
W = [(0.3 * torch.randn(4, 16, generator=gen)).requires_grad_(), torch.zeros(16, requires_grad=True),
     (0.3 * torch.randn(16, 2, generator=gen)).requires_grad_(), torch.zeros(2, requires_grad=True)]
log_lr = torch.full((4,), -1.5, requires_grad=True)


def net(x, p):
    return torch.tanh(x @ p[0] + p[1]) @ p[2] + p[3]


def task():
    n = torch.randn(4, generator=gen)

    def draw(k):
        x = torch.randn(k, 4, generator=gen)
        return x, (x @ n > 0).long()
    return draw


def inner(draw, steps):
    x, y = draw(10)
    fast = W
    path = []
    for _ in range(steps):
        g = torch.autograd.grad(F.cross_entropy(net(x, fast), y), fast, create_graph=True)
        fast = [w - a.exp() * gw for w, a, gw in zip(fast, log_lr, g)]
        path.append(fast)
    return path


meta = torch.optim.Adam(W + [log_lr], lr=2e-3)
accs = []
for it in range(420):
    meta.zero_grad()
    total = 0.0
    for _ in range(2):
        draw = task()
        path = inner(draw, steps=3)
        xq, yq = draw(20)
        # every inner step is scored, late ones more (MAML++)
        for weight, params in zip((0.1, 0.2, 0.7), path):
            out = net(xq, params)
            total = total + weight * F.cross_entropy(out, yq)
        accs.append((out.argmax(1) == yq).float().mean())
    total.backward()
    meta.step()
print(torch.stack(accs[:50]).mean(), torch.stack(accs[-50:]).mean())
