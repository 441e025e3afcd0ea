# gradwatch-corpus: kind=none
"""
MAML without libraries, for calibrating pH electrodes (every electrode is a task with few
points).  Weights are kept in a table; the inner optimiser builds *new* weights so
that the outer gradient can see through it.
"""
import torch

torch.set_num_threads(1)
torch.manual_seed(8)

META = {
    "w1": torch.randn(1, 16) * 0.5,
    "b1": torch.zeros(16),
    "w2": torch.randn(16, 1) * 0.3,
    "b2": torch.zeros(1),
    "log_lr": torch.tensor(-3.0),      # of the inner loop, learned too
}
for v in META.values():
    v.requires_grad_(True)


class Electrode:
    made = 0

    def __init__(self):
        type(self).made += 1
        self.slope = 0.8 + 0.4 * torch.rand(())
        self.offset = torch.randn(()) * 0.3
        self.bend = torch.rand(()) * 0.5

    def points(self, n):
        ph = torch.rand(n, 1) * 2 - 1
        mv = self.slope * ph + self.offset + self.bend * torch.sin(3 * ph)
        return ph, mv + 0.01 * torch.randn(n, 1)


def model(w, x):
    return torch.tanh(x @ w["w1"] + w["b1"]) @ w["w2"] + w["b2"]


def inner_steps(weights, x, y, n, trace=None):
    """A generator: gives the weights after each of the n inner steps."""
    fast = {k: v for k, v in weights.items() if k != "log_lr"}
    lr = weights["log_lr"].exp()
    for _ in range(n):
        loss = (model(fast, x) - y).pow(2).mean()
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
        fast = {k: v - lr * g for (k, v), g in zip(fast.items(), grads)}
        if trace is not None:
            trace.append(loss.item())
        yield fast


outer = torch.optim.Adam(META.values(), lr=3e-3)
ledger = []

for it in range(320):
    total = torch.zeros(())
    for _ in range(3):
        e = Electrode()
        xs, ys = e.points(6)
        xq, yq = e.points(8)
        # multi-step loss of MAML++: the query error after each inner step
        for k, fast in enumerate(inner_steps(META, xs, ys, 2, ledger)):
            total = total + (k + 1) / 3 * (model(fast, xq) - yq).pow(2).mean()
    total = total / 3
    outer.zero_grad()
    total.backward()
    torch.nn.utils.clip_grad_norm_(META.values(), 5.0)
    outer.step()
    if it % 64 == 0:
        print(f"it {it:3d}  outer {total.item():.4f}  inner lr {META['log_lr'].exp().item():.4f}")

e = Electrode()
x, y = e.points(6)
for fast in inner_steps(META, x, y, 5):
    pass
print("support error after 5 steps", (model(fast, x) - y).pow(2).mean().item())
print("electrodes", Electrode.made, "inner losses", len(ledger))
