import torch


def midpoint(func, y, t, dt):
    half = y + 0.5 * dt * func(t, y)
    return y + dt * func(t + 0.5 * dt, half)


class FixedGrid:
    """Fixed step integrator; `method` is euler or midpoint."""

    def __init__(self, func, dt, method="euler"):
        self.func = func
        self.dt = dt
        self.method = method

    def __call__(self, y0, times):
        y = y0.clone()
        path = [y0]
        for t0, t1 in zip(times[:-1], times[1:]):
            n = max(1, int(round(float(t1 - t0) / self.dt)))
            h = (t1 - t0) / n
            for k in range(n):
                if self.method == "euler":
                    y += h * self.func(t0 + k * h, y)  # <- culprit
                else:
                    y = midpoint(self.func, y, t0 + k * h, h)
            path.append(y.clone())
        return torch.stack(path)
