# gradwatch-corpus: kind=none
"""MAML on families of titration curves: a few points per acid, then predict."""
import torch
import torch.nn.functional as F

INNER_LR, INNER_STEPS = 0.05, 3


class Task:
    def __init__(self):
        self.pka = 3 + 6 * torch.rand(())
        self.veq = 0.4 + 0.4 * torch.rand(())

    def curve(self, v):
        f = (v / self.veq).clamp(0.02, 0.98)
        return (self.pka + torch.log10(f / (1 - f)) - 7) / 4

    def points(self, n):
        v = torch.rand(n, 1)
        return v, self.curve(v)


def init_params(hid=32):
    shapes = [(hid, 1), (hid,), (hid, hid), (hid,), (1, hid), (1,)]
    out = []
    for s in shapes:
        w = torch.randn(s) * (1.4 / s[-1] ** 0.5) if len(s) == 2 else torch.zeros(s)
        out.append(w.requires_grad_(True))
    return out


def net(params, x):
    w1, b1, w2, b2, w3, b3 = params
    x = torch.tanh(F.linear(x, w1, b1))
    x = torch.tanh(F.linear(x, w2, b2))
    return F.linear(x, w3, b3)


class Adapted:
    def __init__(self, meta):
        self.fast = meta
        self.losses = []

    def fit(self, x, y, steps=INNER_STEPS, second_order=True):
        for _ in range(steps):
            loss = F.mse_loss(net(self.fast, x), y)
            grads = torch.autograd.grad(loss, self.fast, create_graph=second_order)
            self.fast = [p - INNER_LR * g for p, g in zip(self.fast, grads)]
            self.losses.append(loss.item())
        return self

    def loss(self, x, y):
        return F.mse_loss(net(self.fast, x), y)


def evaluate(meta, n_tasks=10):
    before, after = 0.0, 0.0
    for _ in range(n_tasks):
        task = Task()
        model = Adapted([p.detach().clone().requires_grad_(True) for p in meta])
        sx, sy = task.points(8)
        qx, qy = task.points(32)
        with torch.no_grad():
            before += model.loss(qx, qy).item()
        model.fit(sx, sy, second_order=False)
        with torch.no_grad():
            after += model.loss(qx, qy).item()
    return before / n_tasks, after / n_tasks


def main(meta_steps=70, tasks_per_step=3):
    torch.manual_seed(10)
    meta = init_params()
    opt = torch.optim.Adam(meta, lr=3e-3)
    trace = []
    for it in range(meta_steps):
        total = 0.0
        for _ in range(tasks_per_step):
            task = Task()
            total = total + Adapted(meta).fit(*task.points(8)).loss(*task.points(16))
        opt.zero_grad()
        (total / tasks_per_step).backward()
        opt.step()
        trace.append(total.item() / tasks_per_step)
        if it % 20 == 0:
            print(f"meta step {it:3d}  query mse {trace[-1]:.4f}")
    print("zero-shot %.4f  adapted %.4f" % evaluate(meta))


if __name__ == "__main__":
    main()
