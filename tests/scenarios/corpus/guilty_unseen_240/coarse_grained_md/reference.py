import torch


def reference_energy(q):
    bond = (q[:, 1:] - q[:, :-1]).norm(dim=-1)
    i, j = torch.triu_indices(q.shape[1], q.shape[1], offset=2)
    far = (q[:, i] - q[:, j]).norm(dim=-1)
    return 5.0 * ((bond - 1.0) ** 2).sum(-1) + (0.3 * torch.exp(-2.0 * (far - 1.0))).sum(-1)


def reference_forces(q):
    q = q.detach().requires_grad_()
    e = reference_energy(q)
    (g,) = torch.autograd.grad(e.sum(), q)
    return e.detach(), -g


def chain_frames(n, batch, beads, dt=0.02, temp=0.3):
    q = torch.zeros(batch, beads, 3)
    q[..., 0] = torch.arange(beads, dtype=torch.float32)
    q = q + 0.1 * torch.randn_like(q)
    for _ in range(n):
        for _ in range(2):
            _, f = reference_forces(q)
            q = q + dt * f + (2.0 * dt * temp) ** 0.5 * torch.randn_like(q)
        e, f = reference_forces(q)
        yield q, e, f
