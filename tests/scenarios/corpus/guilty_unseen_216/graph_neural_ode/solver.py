def euler_step(f, t, dt, y):
    return y + dt * f(t, y)


def rk4_step(f, t, dt, y):
    k1 = f(t, y)
    k2 = f(t + dt / 2, y + dt / 2 * k1)
    k3 = f(t + dt / 2, y + dt / 2 * k2)
    k4 = f(t + dt, y + dt * k3)
    return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


STEPPERS = {"euler": euler_step, "rk4": rk4_step}


def odeint_fixed(f, y, t, method="rk4"):
    step = STEPPERS[method]
    for t0, t1 in zip(t[:-1], t[1:]):
        y = step(f, t0, t1 - t0, y)
    return y
