# gradwatch-corpus: kind=graph-chain
# holder: self.state | net.state | esn.state | forecaster.state | model.state
# first-bad: 1

# Echo-state forecaster on Mackey-Glass. The recurrent matrix is fixed, the input
# map and the readout are learned while the series streams past.
import math

import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(0)
np.random.seed(0)

CFG = dict(
    units=120,
    channels=4,
    radius=0.85,
    leak=0.4,
    chunk=12,
    n_chunks=75,
    horizon=3,
    lr=4e-3,
)


def mackey_glass(n, tau=17, beta=0.2, gamma=0.1, power=10, warm=300):
    x = np.zeros(n + warm + tau)
    x[:tau] = 1.2 + 0.1 * np.random.randn(tau)
    for t in range(tau, len(x)):
        lag = x[t - tau]
        x[t] = x[t - 1] + beta * lag / (1 + lag ** power) - gamma * x[t - 1]
    x = x[-n:]
    return (x - x.mean()) / x.std()


class EchoState(nn.Module):
    def __init__(self, channels, units, radius, leak):
        super().__init__()
        w = torch.randn(units, units) * (torch.rand(units, units) < 0.1)
        w = w * (radius / torch.linalg.eigvals(w).abs().max())
        self.register_buffer("w_res", w)
        self.register_buffer("state", torch.zeros(channels, units))
        self.inp = nn.Linear(1, units)
        self.readout = nn.Linear(units, 1)
        self.leak = leak

    def cell(self, u, h):
        pre = self.inp(u) + h @ self.w_res
        return (1 - self.leak) * h + self.leak * torch.tanh(pre)

    def forward(self, u):
        # u: (channels, steps, 1)
        h, ys = self.state, []  # <- culprit
        for t in range(u.size(1)):
            h = self.cell(u[:, t], h)
            ys.append(self.readout(h))
        self.state = h  # <- culprit
        return torch.stack(ys, dim=1)

    def forget(self):
        self.state = torch.zeros_like(self.state)


def chunks(series, cfg):
    """Successive pieces (input, target) of the stream, all channels side by side."""
    span = cfg["chunk"]
    for k in range(cfg["n_chunks"]):
        a = k * span
        x = series[:, a:a + span]
        y = series[:, a + cfg["horizon"]:a + span + cfg["horizon"]]
        yield x.unsqueeze(-1), y.unsqueeze(-1)


def fit(net, series, cfg):
    opt = torch.optim.RMSprop(net.parameters(), lr=cfg["lr"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=cfg["n_chunks"])
    errs = []
    net.forget()
    for i, (x, y) in enumerate(chunks(series, cfg)):
        opt.zero_grad()
        loss = nn.functional.smooth_l1_loss(net(x), y)
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        errs.append(loss.item())
        if (i + 1) % 15 == 0:
            print("chunk %3d  loss %.4f  lr %.1e" % (i + 1, np.mean(errs[-15:]), sched.get_last_lr()[0]))
    return errs


if __name__ == "__main__":
    length = CFG["chunk"] * CFG["n_chunks"] + CFG["horizon"]
    series = torch.tensor(np.stack([mackey_glass(length) for _ in range(CFG["channels"])]), dtype=torch.float32)
    net = EchoState(CFG["channels"], CFG["units"], CFG["radius"], CFG["leak"])
    errs = fit(net, series, CFG)
    print("rmse over the last 20 chunks: %.4f" % math.sqrt(2 * np.mean(errs[-20:])))
