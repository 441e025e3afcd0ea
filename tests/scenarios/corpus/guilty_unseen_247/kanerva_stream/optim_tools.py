import torch


def adam_init(module):
    table = {}
    for name, p in module.named_parameters():
        table[name] = (torch.zeros_like(p.data), torch.zeros_like(p.data))
    return {"t": 0, "table": table}


def adam_apply(module, moments, lr, b1=0.9, b2=0.99, eps=1e-8):
    t = moments["t"] + 1
    fresh = {}
    for name, p in module.named_parameters():
        m, v = moments["table"][name]
        g = p.grad.data.clamp(-1, 1)
        m = b1 * m + (1 - b1) * g
        v = b2 * v + (1 - b2) * g * g
        scale = (v / (1 - b2 ** t)).sqrt() + eps
        p.data -= lr * (m / (1 - b1 ** t)) / scale
        fresh[name] = (m, v)
    return {"t": t, "table": fresh}
