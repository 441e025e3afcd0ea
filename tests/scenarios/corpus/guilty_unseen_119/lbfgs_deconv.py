# gradwatch-corpus: kind=graph-held
# holder: stat['f_avg'] | stat['g_pen'] | stat
# first-bad: 1
# notice: 8
# Blind deconvolution of seismic traces: common wavelet (complex spectrum), sparse
# reflectivity per shot gather, L-BFGS over everything, a new gather per outer pass.
import numpy as np
import torch

torch.set_num_threads(1)
torch.manual_seed(2)

NT, NTR = 64, 6
OUTER = 150


def ricker(f, n=NT, dt=0.02):
    t = (np.arange(n) - n // 2) * dt
    a = (np.pi * f * t) ** 2
    return torch.tensor(np.roll((1 - 2 * a) * np.exp(-a), -(n // 2)), dtype=torch.float32)


W_TRUE = torch.fft.rfft(ricker(6.0))


def gather():
    r = torch.zeros(NTR, NT)
    for i in range(NTR):
        j = torch.randperm(NT)[:5]
        r[i, j] = torch.randn(5)
    d = torch.fft.irfft(torch.fft.rfft(r) * W_TRUE, n=NT)
    return r, d + 0.02 * torch.randn_like(d)


wav = torch.fft.rfft(ricker(4.0)).clone().requires_grad_(True)      # complex leaf
pars = {'wav': wav, 'refl': torch.zeros(NTR, NT, requires_grad=True)}
stat = {'f_avg': torch.zeros(()), 'g_pen': torch.zeros(()), 'evals': 0, 'corr': []}
eps = 1e-3


def misfit(d):
    syn = torch.fft.irfft(torch.fft.rfft(pars['refl']) * pars['wav'], n=NT)
    return 0.5 * ((syn - d) ** 2).sum(), syn


def penalty():
    sparse = torch.sqrt(pars['refl'] ** 2 + eps).sum()
    rough = (pars['wav'][1:] - pars['wav'][:-1]).abs().pow(2).sum()
    return 0.02 * sparse + 0.002 * rough


def make_closure(opt, d):
    def closure():
        opt.zero_grad()
        f, _ = misfit(d)
        pen = penalty()
        J = f + pen
        J.backward()
        # exponentially weighted averages, for the table below
        stat['f_avg'] = 0.98 * stat['f_avg'] + 0.02 * f  # <- culprit
        stat['g_pen'] = 0.98 * stat['g_pen'] + 0.02 * pen  # <- culprit
        stat['evals'] += 1
        return J
    return closure


print(' pass  evals     misfit    penalty   refl.corr')
for it in range(OUTER):
    r_true, d = gather()
    with torch.no_grad():
        # matched filter as a starting reflectivity
        D = torch.fft.rfft(d)
        num = D * pars['wav'].conj()
        pars['refl'].copy_(torch.fft.irfft(num / (pars['wav'].abs() ** 2 + 0.5), n=NT))
    opt = torch.optim.LBFGS([pars['wav'], pars['refl']], lr=0.5, max_iter=3, history_size=4)
    opt.step(make_closure(opt, d))

    a, b = pars['refl'].detach().flatten(), r_true.flatten()
    stat['corr'].append(((a @ b) / (a.norm() * b.norm() + 1e-9)).item())
    if it % 30 == 29:
        bias = 1 - 0.98 ** stat['evals']
        print('%5d  %5d  %9.4f  %9.4f   %8.3f' % (it + 1, stat['evals'], stat['f_avg'].item() / bias, stat['g_pen'].item() / bias,
                                              np.mean(stat['corr'][-30:])))

phase = torch.angle(pars['wav'].detach() * W_TRUE.conj())[2:12]
print('wavelet phase error, rad rms: %.3f' % phase.pow(2).mean().sqrt().item())
