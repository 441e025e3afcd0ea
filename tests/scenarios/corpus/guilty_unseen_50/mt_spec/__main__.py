# gradwatch-corpus: kind=graph-chain
# holder: av | a
# first-bad: 1
"""Semi-supervised regression of a spectral width, mean teacher on a dict of tensors."""
import torch

from . import data, par


def mse(a, b):
    return (a - b).pow(2).mean()


def run(T=120, lr=3e-3, b=0.97, ramp=40):
    torch.manual_seed(0)
    xl, yl = data.labelled(48)
    xu = data.spectra(400)[0]
    xt, yt = data.labelled(200)

    p = par.init([data.NF, 32, 32, 1])
    av = {k: v.detach().clone() for k, v in p.items()}
    opt = torch.optim.Adam(p.values(), lr=lr)

    for it in range(T):
        av = par.ema(av, p, b)  # <- culprit
        i = torch.randint(len(xl), (24,))
        j = torch.randint(len(xu), (48,))
        sup = mse(par.f(p, xl[i]), yl[i])
        z = xu[j]
        con = mse(par.f(p, data.jitter(z)), par.f(av, data.jitter(z)))
        l = sup + min(1.0, it / ramp) * con
        opt.zero_grad()
        l.backward()
        opt.step()
        if it % 20 == 0:
            with torch.no_grad():
                es, et = mse(par.f(p, xt), yt), mse(par.f(av, xt), yt)
            print(f"{it:4d} sup {sup.item():.4f} con {con.item():.5f} test: student {es:.4f} teacher {et:.4f}")


run()
