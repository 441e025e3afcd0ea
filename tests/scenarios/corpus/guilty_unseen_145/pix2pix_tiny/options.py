from types import SimpleNamespace


def Options(**kw):
    base = dict(ngf=6, ndf=6, lr=2e-4, beta1=0.5, lambda_L1=100.0)
    base.update(kw)
    return SimpleNamespace(**base)
