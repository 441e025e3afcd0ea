# gradwatch-corpus: kind=none
# Learn the Hamiltonian of coupled pendulum magnets from short noisy orbits.
# The net gives H(q, p); motion follows from its gradients and is integrated with
# a symplectic leapfrog for a few steps, each of which differentiates H.
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1833)

DOF, ORBITS, STEPS, DT = 3, 12, 4, 0.1


class Energy(nn.Module):
    def __init__(self):
        super().__init__()
        self.potential = nn.Sequential(nn.Linear(2 * DOF, 24), nn.Tanh(), nn.Linear(24, 1))
        self.log_mass = nn.Parameter(torch.zeros(DOF))

    def V(self, q):
        return self.potential(torch.cat([q.sin(), q.cos()], -1)).squeeze(-1)

    def T(self, p):
        return 0.5 * (p ** 2 * torch.exp(-self.log_mass)).sum(-1)

    def forward(self, q, p):
        return self.V(q) + self.T(p)


def grad_of(f, x):
    if not x.requires_grad:
        x = x.requires_grad_(True)
    return torch.autograd.grad(f(x).sum(), x, create_graph=True)[0]


def leapfrog(h, q, p, steps, dt):
    path = []
    force = -grad_of(h.V, q)
    for _ in range(steps):
        p = p + 0.5 * dt * force
        q = q + dt * grad_of(h.T, p)
        force = -grad_of(h.V, q)
        p = p + 0.5 * dt * force
        path.append(torch.cat([q, p], -1))
    return torch.stack(path, 1), q, p


def true_force(q):
    left, right = q.roll(1, -1), q.roll(-1, -1)
    return -q.sin() - 0.5 * (q - left).sin() - 0.5 * (q - right).sin()


def true_orbits(q, p, steps, dt, gen):
    path = []
    for _ in range(steps):
        for _ in range(5):
            p = p + 0.5 * dt / 5 * true_force(q)
            q = q + dt / 5 * p
            p = p + 0.5 * dt / 5 * true_force(q)
        path.append(torch.cat([q, p], -1))
    path = torch.stack(path, 1)
    return path + 0.01 * torch.randn(path.shape, generator=gen), q, p


gen = torch.Generator().manual_seed(1834)
h = Energy()
opt = torch.optim.Adam(h.parameters(), lr=5e-3)
drift_log = []
worst = None

q = torch.randn(ORBITS, DOF, generator=gen)
p = 0.3 * torch.randn(ORBITS, DOF, generator=gen)
for it in range(320):
    target, q_true, p_true = true_orbits(q, p, STEPS, DT, gen)
    q0, p0 = q.clone(), p.clone()
    path, q_end, p_end = leapfrog(h, q0, p0, STEPS, DT)
    drift = (h(q_end, p_end) - h(q0, p0)).abs().mean()
    misfit = (path - target).pow(2).mean()
    loss = misfit + 0.01 * drift

    opt.zero_grad()
    loss.backward(retain_graph=it % 10 == 0)
    if it % 10 == 0:
        # which initial angles the fit is most sensitive to (same graph, once more)
        sens, = torch.autograd.grad(misfit, q0)
        drift_log.append((it, drift.detach(), sens.norm(dim=0)))
        if worst is None or loss > worst:
            worst = loss
    opt.step()

    # next segment continues from where the true system is; sometimes it starts afresh
    q, p = q_true, p_true
    if it % 25 == 24:
        q = torch.randn(ORBITS, DOF, generator=gen)
        p = 0.3 * torch.randn(ORBITS, DOF, generator=gen)
    if it % 80 == 0:
        print(f"{it:4d}  misfit {misfit.item():.5f}  drift {drift.item():.5f}")

print("sensitivities at the end:", [round(s, 5) for s in drift_log[-1][2].tolist()])
print("worst loss looked at: %.4f" % worst.item())
