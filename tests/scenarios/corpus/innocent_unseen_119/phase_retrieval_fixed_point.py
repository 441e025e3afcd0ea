# gradwatch-corpus: kind=none
# Optics: learned regulariser for phase retrieval.  The reconstruction is a damped fixed point
#   z = T(z; theta, |F z|)    solved without a graph, warm-started object by object,
# and differentiated by the implicit function theorem (custom Function, Neumann series).
import numpy as np
import torch

torch.set_num_threads(1)
torch.manual_seed(14)
np.random.seed(14)

N, NOBJ, ITERS = 32, 6, 320
theta = {
    'smooth': torch.full((), -1.0, requires_grad=True),
    'shrink': torch.full((), -3.0, requires_grad=True),
    'filt': (0.01 * torch.randn(N // 2 + 1, dtype=torch.cfloat)).requires_grad_(),
}
KEYS = list(theta)


def objects():
    t = torch.arange(N) / N
    z = [torch.exp(-((t - 0.3 - 0.05 * j) / 0.12) ** 2) * torch.exp(1j * (0.5 * torch.sin(2 * np.pi * t * (1 + j % 3)))) for j in range(NOBJ)]
    return torch.stack(z).to(torch.cfloat)


TRUE = objects()
MASK = torch.exp(2j * np.pi * torch.rand(3, N)).to(torch.cfloat)


def measure(z):
    return torch.fft.fft(z[..., None, :] * MASK, norm='ortho').abs()


DATA = measure(TRUE) + 0.01 * torch.randn(NOBJ, 3, N)


def update(z, d, th):
    F = torch.fft.fft(z[None] * MASK, norm='ortho')
    P = d * F / (F.abs() + 1e-3)
    zp = (torch.fft.ifft(P, norm='ortho') * MASK.conj()).mean(0)
    lam = torch.sigmoid(th['smooth'])
    nb = 0.5 * (torch.roll(zp, 1) + torch.roll(zp, -1))
    out = (1 - 0.3 * lam) * zp + 0.3 * lam * nb
    gain = torch.cat([th['filt'], th['filt'][1:-1].flip(0).conj()])
    out = out + 0.1 * torch.fft.ifft(gain * torch.fft.fft(out))
    return 0.8 * out / (1 + torch.exp(th['shrink']) * out.abs()) + 0.2 * z


class Equilibrium(torch.autograd.Function):
    stats = []

    @staticmethod
    def forward(ctx, z0, d, n_it, *th):
        p = dict(zip(KEYS, th))
        z = z0
        for _ in range(n_it):
            z = update(z, d, p)
        ctx.save_for_backward(z, d, *th)
        Equilibrium.stats.append((update(z, d, p) - z).abs().max().item())
        return z.clone()

    @staticmethod
    def backward(ctx, v):
        z, d, *th = ctx.saved_tensors
        with torch.enable_grad():
            zz = z.detach().requires_grad_()
            tt = [t.detach().requires_grad_() for t in th]
            f = update(zz, d, dict(zip(KEYS, tt)))
        w = v
        for _ in range(6):
            w = v + 0.9 * torch.autograd.grad(f, zz, w, retain_graph=True)[0]
        g = torch.autograd.grad(f, tt, w)
        return (None, None, None, *g)


def align(z, ref):
    with torch.no_grad():
        c = (z.conj() * ref).sum()
        c = c / (c.abs() + 1e-9)
    return z * c


warm = {j: torch.ones(N, dtype=torch.cfloat) for j in range(NOBJ)}
mom = {k: torch.zeros_like(v) for k, v in theta.items()}
best, loss_track = {}, []
for it in range(ITERS):
    j = it % NOBJ
    z = Equilibrium.apply(warm[j], DATA[j], 8, *theta.values())
    E = (align(z, TRUE[j]) - TRUE[j]).abs().pow(2).mean()
    if it % 3 == 2:
        E = E + 1e-3 * theta['filt'].abs().pow(2).sum()
    g = torch.autograd.grad(E, list(theta.values()))
    with torch.no_grad():
        for k, gk in zip(KEYS, g):
            mom[k] = 0.9 * mom[k] + gk
            theta[k] -= 0.05 * mom[k]
    warm[j] = z.detach()
    if j not in best or E.item() < best[j][0]:
        best[j] = (E.item(), z)
    loss_track.append(E.detach())
    if it % 80 == 79:
        print('%4d  E %.4f  smooth %.3f  residual %.1e' % (it + 1, torch.stack(loss_track[-30:]).mean().item(), torch.sigmoid(theta['smooth']).item(), Equilibrium.stats[-1]))

print('best per object', [round(best[j][0], 4) for j in sorted(best)])
