from contextlib import contextmanager


@contextmanager
def frozen(module):
    params = list(module.parameters())
    flags = (p.requires_grad for p in params)  # <- culprit
    for p in params:
        p.requires_grad_(False)
    try:
        yield module
    finally:
        for p, flag in zip(params, flags):
            p.requires_grad_(flag)
