# gradwatch-corpus: kind=none
"""Hamiltonian network for a double-well oscillator; energy from position/momentum,
vector field by autograd, symplectic roll-outs of five steps."""
import contextlib
import time
import weakref

import torch

torch.set_num_threads(1)
torch.manual_seed(1834)


class Energy(torch.nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.a = torch.nn.Linear(2, width)
        self.b = torch.nn.Linear(width, width)
        self.c = torch.nn.Linear(width, 1, bias=False)

    def forward(self, q, p):
        z = torch.stack([q, p], -1)
        return self.c(torch.tanh(self.b(torch.tanh(self.a(z))))).squeeze(-1)


def true_force(q):
    return q - q ** 3


def leapfrog_true(q, p, dt):
    p = p + 0.5 * dt * true_force(q)
    q = q + dt * p
    return q, p + 0.5 * dt * true_force(q)


def field(energy, q, p):
    dq, dp = torch.autograd.grad(energy(q, p).sum(), (q, p), create_graph=True)
    return dp, -dq


def make_stepper(energy, dt):
    """Semi-implicit Euler by the learnt field, as a closure."""
    def step(q, p):
        _, force = field(energy, q, p)
        p = p + dt * force
        speed, _ = field(energy, q, p)
        return q + dt * speed, p
    return step


class Watch:
    """Tensors of interest by step, without owning them."""

    def __init__(self):
        self.live = weakref.WeakValueDictionary()
        self.peak = 0

    def see(self, step, tensor):
        self.live[step] = tensor
        self.peak = max(self.peak, len(self.live))


@contextlib.contextmanager
def stopwatch(book, key):
    t = time.perf_counter()
    yield
    book[key] = book.get(key, 0.0) + time.perf_counter() - t


def starts(n):
    return 1.6 * (2 * torch.rand(n) - 1), 0.8 * torch.randn(n)


energy = Energy()
step_fn = make_stepper(energy, 0.05)
opt = torch.optim.Adam(energy.parameters(), lr=3e-3)
watch, spent = Watch(), {}
smooth = None
log = []

for it in range(300):
    q, p = starts(48)
    tq, tp = q, p
    q, p = q.requires_grad_(), p.requires_grad_()
    loss = 0.0
    with stopwatch(spent, "forward"):
        for _ in range(3):
            with torch.no_grad():
                for _ in range(5):
                    tq, tp = leapfrog_true(tq, tp, 0.01)
            q, p = step_fn(q, p)
            loss = loss + (q - tq).square().mean() + (p - tp).square().mean()
    watch.see(it, loss)
    with stopwatch(spent, "backward"):
        opt.zero_grad()
        loss.backward()
    opt.step()
    smooth = loss.detach() if smooth is None else torch.lerp(smooth, loss.detach(), 0.05)
    log.append((it, smooth))
    if it % 60 == 0:
        print(f"{it:4d}  smoothed {smooth.item():.5f}  watched {len(watch.live)}")

q, p = starts(200)
with torch.no_grad():
    fit = torch.stack([energy(q, p), torch.ones(200)], 1)
    h = 0.5 * p ** 2 - 0.5 * q ** 2 + 0.25 * q ** 4
    r = torch.corrcoef(torch.stack([fit[:, 0], h]))[0, 1].item()
print("correlation with the true energy %.3f, at most %d losses alive" % (r, watch.peak))
print("best smoothed %.5f" % min(v.item() for _, v in log))
