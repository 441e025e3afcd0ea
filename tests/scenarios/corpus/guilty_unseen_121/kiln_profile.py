# gradwatch-corpus: kind=graph-held
# holder: pending | note.__closure__ | pending[-1].__closure__ | residual
# first-bad: 1
# notice: 8
"""Temperature in a tunnel kiln by a physics-informed net: u_t = a u_xx + q(x)."""
import torch

torch.set_num_threads(1)
torch.manual_seed(2)

DIFFUSIVITY = 0.15
pending = []


def burner(x):
    return torch.exp(-((x - 0.5) ** 2) / 0.02)


def make_field():
    return torch.nn.Sequential(
        torch.nn.Linear(2, 16), torch.nn.Tanh(),
        torch.nn.Linear(16, 16), torch.nn.Tanh(),
        torch.nn.Linear(16, 1),
    )


def pde_residual(field, n):
    x = torch.rand(n, 1, requires_grad=True)
    t = torch.rand(n, 1, requires_grad=True)
    u = field(torch.cat([x, t], 1))
    u_x, u_t = torch.autograd.grad(u.sum(), (x, t), create_graph=True)
    (u_xx,) = torch.autograd.grad(u_x.sum(), x, create_graph=True)
    return u_t - DIFFUSIVITY * u_xx - burner(x)


def walls(field, n):
    t = torch.rand(n, 1)
    cold = field(torch.cat([torch.zeros(n, 1), t], 1)) ** 2
    hot = field(torch.cat([torch.ones(n, 1), t], 1)) ** 2
    start = field(torch.cat([torch.rand(n, 1), torch.zeros(n, 1)], 1)) ** 2
    return (cold + hot + start).mean()


def remark(step, residual):
    def note():
        return f"{step:5d}  worst residual {residual.abs().max().item():.3f}"

    pending.append(note)  # <- culprit


def report(lines):
    for line in lines:
        print(line())


def anneal(steps):
    field = make_field()
    opt = torch.optim.Adam(field.parameters(), lr=2e-3)
    for step in range(steps):
        residual = pde_residual(field, 24)
        loss = residual.square().mean() + 5 * walls(field, 12)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 7 == 0:
            remark(step, residual)  # <- culprit
    return field


anneal(630)
report(pending[::15])
