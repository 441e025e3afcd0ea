# gradwatch-corpus: kind=none
"""MAML for gas-sensor drift: adapt to a sensor from five calibration points."""
import torch
import torch.nn.functional as F


def init_params(width=20):
    p = {
        "w1": torch.randn(width, 1) * 0.8, "b1": torch.zeros(width),
        "w2": torch.randn(1, width) * 0.2, "b2": torch.zeros(1),
        "log_lr": torch.full((4,), -3.5),
    }
    return {k: v.requires_grad_(True) for k, v in p.items()}


def forward(p, x):
    h = torch.tanh(F.linear(x, p["w1"], p["b1"]))
    return F.linear(h, p["w2"], p["b2"])


def adapt(p, x, y, n_inner):
    names = ("w1", "b1", "w2", "b2")
    fast = {k: p[k] for k in names}
    path = []
    for _ in range(n_inner):
        loss = F.mse_loss(forward(fast, x), y)
        grads = torch.autograd.grad(loss, [fast[k] for k in names], create_graph=True)
        fast = {
            k: fast[k] - p["log_lr"][i].exp() * g
            for i, (k, g) in enumerate(zip(names, grads))
        }
        path.append(loss)
    return fast, path


def sensor():
    gain, bias, curve = 1 + 0.5 * torch.randn(1), torch.randn(1), 0.5 * torch.randn(1)

    def read(n):
        x = torch.rand(n, 1) * 4 - 2
        return x, gain * x + bias + curve * x ** 2 + 0.02 * torch.randn(n, 1)

    return read


def main():
    torch.set_num_threads(1)
    torch.manual_seed(90)
    meta = init_params()
    opt = torch.optim.Adam(meta.values(), lr=3e-3)
    gains = []
    for it in range(310):
        opt.zero_grad()
        outer, before = 0.0, 0.0
        for _ in range(3):
            read = sensor()
            xs, ys = read(5)
            xq, yq = read(10)
            fast, path = adapt(meta, xs, ys, n_inner=2)
            # inner losses help a little as auxiliary targets
            outer = outer + F.mse_loss(forward(fast, xq), yq) + 0.05 * path[-1]
            before += path[0].item()
        (outer / 3).backward()
        torch.nn.utils.clip_grad_norm_(list(meta.values()), 5.0)
        opt.step()
        gains.append((before / 3, outer.item() / 3))
        if (it + 1) % 62 == 0:
            b, a = (sum(c) / 62 for c in zip(*gains[-62:]))
            print(f"{it + 1:3d} support before {b:.3f} query after {a:.3f}")


main()
