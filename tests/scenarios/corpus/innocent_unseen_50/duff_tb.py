# gradwatch-corpus: kind=none
"""Parameter estimation of a Duffing oscillator through the integrator, in windows."""
import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(0)

dt = 0.05
names = ["a", "b", "c", "g"]
true = dict(a=-1.0, b=1.0, c=0.3, g=0.37)


def acc(P, q, v, t):
    return -P["c"] * v - P["a"] * q - P["b"] * q**3 + P["g"] * torch.cos(1.2 * t)


def step(P, s, t):
    """velocity Verlet with a predictor for the damping"""
    q, v = s
    a0 = acc(P, q, v, t)
    qn = q + dt * v + 0.5 * dt * dt * a0
    vp = v + dt * a0
    a1 = acc(P, qn, vp, t + dt)
    return qn, v + 0.5 * dt * (a0 + a1)


def roll(P, s, t0, n):
    Q, V = [], []
    for i in range(n):
        s = step(P, s, t0 + i * dt)
        Q.append(s[0])
        V.append(s[1])
    return torch.stack(Q), torch.stack(V), s


def main():
    W, nW, B = 10, 60, 16
    s0 = (torch.randn(B), torch.randn(B))
    Pt = {k: torch.tensor(v) for k, v in true.items()}
    with torch.no_grad():
        Qd, Vd, _ = roll(Pt, s0, torch.tensor(0.0), W * nW)
        Qd = Qd + 0.02 * torch.randn_like(Qd)

    P = {k: torch.tensor(0.5 * true[k], requires_grad=True) for k in names}
    m = {k: torch.zeros(()) for k in names}
    u = {k: torch.zeros(()) for k in names}
    gq_avg = 0.0
    n = 0
    for sweep in range(2):
        s = tuple(z.clone() for z in s0)
        rms = 0.0
        for w in range(nW):
            t0 = torch.tensor(w * W * dt)
            sl = slice(w * W, (w + 1) * W)
            Q, V, s = roll(P, s, t0, W)
            lq = (Q - Qd[sl]).pow(2).mean()
            lv = (V - Vd[sl]).pow(2).mean()

            # position first, to see how much of the gradient it gives
            lq.backward(retain_graph=True)
            gq = torch.stack([p.grad for p in P.values()]).norm().item()
            lv.backward()
            gt = torch.stack([p.grad for p in P.values()]).norm().item()
            gq_avg += gq / (gt + 1e-12)

            n += 1
            with torch.no_grad():
                for k, p in P.items():
                    m[k] = 0.9 * m[k] + 0.1 * p.grad
                    u[k] = 0.99 * u[k] + 0.01 * p.grad**2
                    p -= 0.02 * (m[k] / (1 - 0.9**n)) / ((u[k] / (1 - 0.99**n)).sqrt() + 1e-8)
                    p.grad.zero_()
            # pull the carried state a little to the data
            s = (0.8 * s[0].detach() + 0.2 * Qd[sl][-1], 0.8 * s[1].detach() + 0.2 * Vd[sl][-1])
            rms += lq.item()
            if w % 20 == 19:
                est = " ".join(f"{k}={P[k].item():+.3f}" for k in names)
                print(f"sweep {sweep} win {w:3d} rms {(rms / (w + 1)) ** 0.5:.4f}  {est}")
    print("share of |grad| from positions:", round(gq_avg / n, 3))
    print("true", true)


main()
