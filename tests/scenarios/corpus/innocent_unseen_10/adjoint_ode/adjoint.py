import torch


def rk4(f, t, y, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def midpoint(f, t, state, h):
    k1 = f(t, state)
    mid = [s + h / 2 * k for s, k in zip(state, k1)]
    k2 = f(t + h / 2, mid)
    return [s + h * k for s, k in zip(state, k2)]


class _Adjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, field, y0, t0, t1, steps, *params):
        ctx.field, ctx.span = field, (t0, t1, steps)
        h = (t1 - t0) / steps
        y = y0
        with torch.no_grad():
            for k in range(steps):
                y = rk4(field, t0 + k * h, y, h)
        ctx.save_for_backward(y, *params)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        y, *params = ctx.saved_tensors
        field, (t0, t1, steps) = ctx.field, ctx.span

        def augmented(t, state):
            y, a, *_ = state
            with torch.enable_grad():
                y = y.detach().requires_grad_()
                f = field(t, y)
                gy, *gp = torch.autograd.grad(f, [y, *params], -a)
            return [f.detach(), gy, *gp]

        state = [y, grad_y, *(torch.zeros_like(p) for p in params)]
        h = -(t1 - t0) / steps
        for k in range(steps):
            state = midpoint(augmented, t1 + k * h, state, h)
        _, a, *gp = state
        return (None, a, None, None, None, *gp)


def odeint_adjoint(field, y0, t0, t1, steps):
    return _Adjoint.apply(field, y0, t0, t1, steps, *field.parameters())
