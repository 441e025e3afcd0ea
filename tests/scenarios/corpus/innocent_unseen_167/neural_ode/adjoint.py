import torch


def rk4_step(f, t, dt, y):
    k1 = f(t, y)
    k2 = f(t + dt / 2, tuple(a + dt / 2 * b for a, b in zip(y, k1)))
    k3 = f(t + dt / 2, tuple(a + dt / 2 * b for a, b in zip(y, k2)))
    k4 = f(t + dt, tuple(a + dt * b for a, b in zip(y, k3)))
    return tuple(a + dt / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4))


class OdeintAdjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, func, y0, t, *params):
        ctx.func = func
        with torch.no_grad():
            ys = [y0]
            for a, b in zip(t[:-1], t[1:]):
                ys.append(rk4_step(lambda s, y: (func(s, y[0]),), a, b - a, (ys[-1],))[0])
            out = torch.stack(ys)
        ctx.save_for_backward(t, out, *params)
        return out

    @staticmethod
    def backward(ctx, grad_out):
        t, out, *params = ctx.saved_tensors
        params = tuple(params)

        def augmented(s, state):
            y, a = state[0], state[1]
            with torch.enable_grad():
                y = y.detach().requires_grad_(True)
                f = ctx.func(s, y)
                gy, *gp = torch.autograd.grad(f, (y,) + params, a, allow_unused=True)
            gp = [torch.zeros_like(p) if g is None else g for g, p in zip(gp, params)]
            return (f.detach(), -gy, *[-g for g in gp])

        with torch.no_grad():
            adj = grad_out[-1]
            grads = tuple(torch.zeros_like(p) for p in params)
            for i in range(len(t) - 1, 0, -1):
                state = (out[i], adj, *grads)
                _, adj, *grads = rk4_step(augmented, t[i], t[i - 1] - t[i], state)
                adj = adj + grad_out[i - 1]
        return (None, adj, None, *grads)


def odeint_adjoint(func, y0, t):
    return OdeintAdjoint.apply(func, y0, t, *[p for p in func.parameters()])
