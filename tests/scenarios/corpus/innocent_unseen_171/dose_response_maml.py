# gradwatch-corpus: kind=none
"""Meta-learning for dose-response curves: after a few wells of a new compound, predict the rest.
Second-order MAML with functional weights."""
import torch
import torch.nn.functional as F

torch.manual_seed(40)


def compound(n_wells):
    ec50 = torch.empty(()).uniform_(-2, 2)
    hill = torch.empty(()).uniform_(0.7, 2.5)
    top = torch.empty(()).uniform_(0.5, 1.5)
    dose = torch.empty(n_wells, 1).uniform_(-4, 4)
    resp = top * torch.sigmoid(hill * (dose - ec50))
    return dose, resp + 0.02 * torch.randn_like(resp)


def init(sizes=(1, 24, 24, 1)):
    ws = []
    for a, b in zip(sizes, sizes[1:]):
        ws.append((torch.randn(b, a) * (1.5 / a) ** 0.5).requires_grad_())
        ws.append(torch.zeros(b).requires_grad_())
    return ws


def curve(x, ws):
    for i in range(0, len(ws), 2):
        x = F.linear(x, ws[i], ws[i + 1])
        if i + 2 < len(ws):
            x = torch.tanh(x)
    return x


def adapt(ws, x, y, lrs, second_order=True):
    fast = ws
    for lr in lrs:
        loss = F.mse_loss(curve(x, fast), y)
        grads = torch.autograd.grad(loss, fast, create_graph=second_order)
        fast = [w - lr * g for w, g in zip(fast, grads)]
    return fast


weights = init()
inner_lrs = torch.full((3,), 0.05, requires_grad=True)
opt = torch.optim.Adam([{"params": weights, "lr": 2e-3}, {"params": [inner_lrs], "lr": 5e-4}])

PLATES = 4
curve_log = []

for it in range(500):
    outer = 0.0
    adapted = []
    for _ in range(PLATES):
        x, y = compound(18)
        fast = adapt(weights, x[:6], y[:6], inner_lrs)
        adapted.append(fast)
        outer = outer + F.mse_loss(curve(x[6:], fast), y[6:])
    outer = outer / PLATES
    opt.zero_grad()
    outer.backward()
    torch.nn.utils.clip_grad_norm_(weights, 2.0)
    opt.step()
    curve_log.append(outer.item())

    if it % 100 == 99:
        drift = sum((f - w).abs().mean() for f, w in zip(adapted[0], weights)).item()
        errs = []
        for _ in range(20):
            x, y = compound(40)
            fast = adapt(weights, x[:6], y[:6], inner_lrs, second_order=False)
            with torch.no_grad():
                errs.append(F.mse_loss(curve(x[6:], fast), y[6:]).item())
        print(f"{it + 1:4d}  meta {sum(curve_log[-100:]) / 100:.4f}  new compounds "
              f"{sum(errs) / len(errs):.4f}  drift {drift:.3f}  "
              f"inner lr {[round(v, 3) for v in inner_lrs.tolist()]}")
