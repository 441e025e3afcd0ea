# gradwatch-corpus: kind=graph-chain
# holder: tracer | carry["tracer"] | carry
# first-bad: 1
"""Learn a subgrid flux closure for 1-D tracer advection, functional style."""
import math

import torch

NX = 48
DX = 1.0 / NX
DT = 0.2 * DX
SUBSTEPS = 3
WINDOWS = 80


def init_params(gen):
    w1 = 0.3 * torch.randn(3, 12, generator=gen)
    w2 = 0.1 * torch.randn(12, 1, generator=gen)
    params = {"w1": w1, "b1": torch.zeros(12), "w2": w2, "b2": torch.zeros(1)}
    return {k: v.requires_grad_(True) for k, v in params.items()}


def closure(params, c):
    feats = torch.stack([torch.roll(c, 1), c, torch.roll(c, -1)], dim=-1)
    hidden = torch.tanh(feats @ params["w1"] + params["b1"])
    return (hidden @ params["w2"] + params["b2"]).squeeze(-1)


def advect(c, speed):
    return -speed * (c - torch.roll(c, 1)) / DX


def model_step(params, c, speed):
    flux = 0.1 * closure(params, c)
    div = (flux - torch.roll(flux, 1)) / DX
    return c + DT * (advect(c, speed) - 0.05 * div)


def reference(x, t):
    decay = math.exp(-0.15 * t)
    return 1.0 + 0.5 * decay * torch.sin(2 * math.pi * (x - t))


def window_loss(params, carry):
    tracer = carry["tracer"]  # <- culprit
    t = carry["t"]
    misfit = 0.0
    for _ in range(SUBSTEPS):
        tracer = model_step(params, tracer, speed=1.0)
        t = t + DT
        misfit = misfit + ((tracer - reference(carry["x"], t)) ** 2).mean()
    new_carry = {"tracer": tracer, "t": t, "x": carry["x"]}  # <- culprit
    return misfit / SUBSTEPS, new_carry


def update(params, grads, lr):
    out = {}
    for name, g in zip(params, grads):
        step = params[name].detach() - lr * g.clamp(-1.0, 1.0)
        out[name] = step.requires_grad_(True)
    return out


def main():
    gen = torch.Generator().manual_seed(20)
    params = init_params(gen)
    x = torch.arange(NX) * DX
    carry = {"tracer": reference(x, 0.0), "t": 0.0, "x": x}
    log = []
    for window in range(WINDOWS):
        loss, carry = window_loss(params, carry)  # <- culprit
        loss.backward(retain_graph=True)
        grads = [p.grad for p in params.values()]
        params = update(params, grads, lr=2.0)
        log.append(float(loss))
        if window % 20 == 0:
            norm = sum(float((g ** 2).sum()) for g in grads) ** 0.5
            print(f"window {window:3d}  misfit {log[-1]:.5f}  |g| {norm:.2e}")
    print("mass", float(carry["tracer"].mean()))
    print("mean misfit", sum(log[-10:]) / 10)


main()
