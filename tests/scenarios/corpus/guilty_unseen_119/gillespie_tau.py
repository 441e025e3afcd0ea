# gradwatch-corpus: kind=graph-held
# holder: rejected | rejected[i][1] | e | e.__traceback__
# first-bad: 8
# notice: 8
"""Pathwise-gradient fit of a gene expression model with (relaxed) tau-leaping.

If a leap would make a population negative the step is halved and the path is tried
again, as in the original C code.  Fits transcription / decay rates to mean and variance.
"""
import numpy as np
import torch

torch.set_num_threads(1)
torch.manual_seed(8)
np.random.seed(8)


class NegativePopulation(RuntimeError):
    def __init__(self, step, species, amount):
        super().__init__('step %d species %d: %.3f' % (step, species, amount))
        self.step, self.species, self.amount = step, species, amount


# stoichiometry: mRNA birth, mRNA death, protein birth, protein death
NU = torch.tensor([[1., 0.], [-1., 0.], [0., 1.], [0., -1.]])
HORIZON = 3.0
NPATH = 48
TARGET = dict(mean=torch.tensor([8.0, 30.0]), sd=torch.tensor([2.8, 9.0]))

rate = torch.nn.ParameterDict({n: torch.nn.Parameter(torch.tensor(np.log(v), dtype=torch.float32))
                               for n, v in dict(km=12.0, gm=1.5, kp=3.0, gp=1.0).items()})
opt = torch.optim.Adam(rate.parameters(), lr=0.02)
rejected = []
N_ITER = 320


def propensities(x, r):
    m, p = x[:, 0], x[:, 1]
    return torch.stack([r['km'].expand_as(m), r['gm'] * m, r['kp'] * m, r['gp'] * p], 1)


def leap_path(tau, noise_gen):
    r = {n: v.exp() for n, v in rate.items()}
    x = torch.tensor([[6.0, 20.0]]).repeat(NPATH, 1)
    n_steps = int(round(HORIZON / tau))
    for s in range(n_steps):
        a = propensities(x, r)
        mean = a * tau
        # Gaussian relaxation of the Poisson counts
        k = mean + (mean + 1e-6).sqrt() * torch.randn(a.shape, generator=noise_gen)
        x = x + k @ NU
        low = x.detach().min(0)
        if bool((low.values < -1.0).any()):
            j = int(low.values.argmin())
            raise NegativePopulation(s, j, low.values[j].item())
        x = x.clamp_min(0.0)
    return x


def moments(x):
    return x.mean(0), x.std(0)


def attempt(it, tau0=0.375):
    """Try with the coarse step, refine until the path is admissible."""
    tau = tau0
    gen = torch.Generator().manual_seed(1000 + it)
    while tau > 1e-2:
        try:
            return leap_path(tau, gen), tau
        except NegativePopulation as e:
            rejected.append((it, e, tau))  # <- culprit
            tau = tau / 2
    raise RuntimeError('tau too small')


def objective(x):
    m, s = moments(x)
    return (((m - TARGET['mean']) / TARGET['mean']) ** 2).sum() + 0.3 * (((s - TARGET['sd']) / TARGET['sd']) ** 2).sum()


curve = np.zeros(N_ITER)
taus = np.zeros(N_ITER)
for it in range(N_ITER):
    x_end, taus[it] = attempt(it)
    J = objective(x_end)
    opt.zero_grad(set_to_none=True)
    J.backward()
    opt.step()
    curve[it] = J.item()
    if it % 80 == 79:
        print('%4d  J %.4f  mean tau %.3f  rejected so far %d  ' % (it + 1, curve[it - 20:it + 1].mean(), taus[:it + 1].mean(), len(rejected)),
              {n: round(v.exp().item(), 3) for n, v in rate.items()})

if rejected:
    by_species = np.bincount([e.species for _, e, _ in rejected], minlength=2)
    print('rejections by species', by_species, ' deepest %.2f' % min(e.amount for _, e, _ in rejected))
    print('iterations with a rejection:', sorted({i for i, _, _ in rejected})[:8], '...')
