# gradwatch-corpus: kind=graph-chain
# holder: state["P"] | state
# first-bad: 1
# Differentiable Kalman filter: learn process and measurement noise by
# minimising the one-step innovation NLL, online, one measurement at a time.
import torch

torch.manual_seed(5)

DIM = 4
OBS = 2
dt = 0.1


def constant_velocity():
    F = torch.eye(DIM)
    F[0, 2] = dt
    F[1, 3] = dt
    H = torch.zeros(OBS, DIM)
    H[0, 0] = 1.0
    H[1, 1] = 1.0
    return F, H


F, H = constant_velocity()
log_q = torch.full((DIM,), -3.0, requires_grad=True)
log_r = torch.full((OBS,), 0.0, requires_grad=True)
theta = [log_q, log_r]


def measurements(n):
    x = torch.tensor([0.0, 0.0, 1.0, 0.5])
    noise_q = torch.tensor([0.01, 0.01, 0.1, 0.1])
    for _ in range(n):
        x = F @ x + noise_q * torch.randn(DIM)
        yield H @ x + 0.25 * torch.randn(OBS)


def predict(state, q):
    m = F @ state["m"]
    P = F @ state["P"] @ F.T + torch.diag(q)  # <- culprit
    return m, P


def update(m, P, y, r):
    S = H @ P @ H.T + torch.diag(r)
    L = torch.linalg.cholesky(S)
    v = y - H @ m
    w = torch.linalg.solve_triangular(L, v[:, None], upper=False)
    nll = 0.5 * (w ** 2).sum() + torch.log(torch.diagonal(L)).sum()
    K = torch.cholesky_solve(H @ P, L).T
    m_new = m + K @ v
    IKH = torch.eye(DIM) - K @ H
    P_new = IKH @ P @ IKH.T + K @ torch.diag(r) @ K.T
    return m_new, P_new, nll


class Adam:
    """Bias-corrected Adam on a flat list of leaves."""

    def __init__(self, params, lr=2e-2, b1=0.9, b2=0.99):
        self.params = params
        self.lr = lr
        self.b1 = b1
        self.b2 = b2
        self.t = 0
        self.m = [torch.zeros_like(p) for p in params]
        self.v = [torch.zeros_like(p) for p in params]

    @torch.no_grad()
    def step(self, grads):
        self.t += 1
        for p, g, m, v in zip(self.params, grads, self.m, self.v):
            m.lerp_(g, 1 - self.b1)
            v.mul_(self.b2).addcmul_(g, g, value=1 - self.b2)
            mh = m / (1 - self.b1 ** self.t)
            vh = v / (1 - self.b2 ** self.t)
            p.data = p.data - self.lr * mh / (vh.sqrt() + 1e-8)


def filter_step(state, y):
    q = torch.nn.functional.softplus(log_q)
    r = torch.nn.functional.softplus(log_r)
    m, P = predict(state, q)
    return update(m, P, y, r)


opt = Adam(theta)
state = {"m": torch.zeros(DIM), "P": torch.eye(DIM)}
running = 0.0

for k, y in enumerate(measurements(120)):
    m, P, nll = filter_step(state, y)
    grads = torch.autograd.grad(nll, [log_q, log_r], retain_graph=True)
    grads = [g.clamp(-5.0, 5.0) for g in grads]
    state["m"] = m.detach()
    state["P"] = 0.5 * (P + P.mT)  # <- culprit
    running = 0.95 * running + 0.05 * nll.item()
    if k > 2:
        opt.step(grads)
    if k % 20 == 0:
        print(k, f"nll~{running:.3f}", "r", torch.nn.functional.softplus(log_r).detach().numpy().round(3))
