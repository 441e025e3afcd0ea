# gradwatch-corpus: kind=none
"""
Which central mass and which drag explain the track of this comet?
Leapfrog integration in torch, parameters by Adam, then polished with LBFGS.
"""
from collections import deque

import torch

torch.manual_seed(8)

dt = 0.05
n_steps = 40
n_arcs = 6
true_gm, true_drag = 1.3, 0.06
sigma = 0.01


def accel(pos, vel, gm, drag):
    r3 = (pos ** 2).sum(-1, keepdim=True) ** 1.5
    return -gm * pos / r3 - drag * vel


def integrate(pos, vel, gm, drag, n):
    track = [pos]
    speeds = [vel]
    a = accel(pos, vel, gm, drag)
    for _ in range(n - 1):
        half = vel + 0.5 * dt * a
        pos = pos + dt * half
        a = accel(pos, half, gm, drag)
        vel = half + 0.5 * dt * a
        track.append(pos)
        speeds.append(vel)
    return torch.stack(track), torch.stack(speeds)


def observe():
    pos0 = torch.tensor([[1.0, 0.0]]) + 0.2 * torch.randn(n_arcs, 2)
    vel0 = torch.tensor([[0.0, 1.1]]) + 0.1 * torch.randn(n_arcs, 2)
    with torch.no_grad():
        track, _ = integrate(pos0, vel0, true_gm, true_drag, n_steps)
    return pos0, vel0, track + sigma * torch.randn_like(track)


pos0, vel0, observed = observe()
log_gm = torch.zeros((), requires_grad=True)
log_drag = torch.tensor(-4.0, requires_grad=True)
params = [log_gm, log_drag]

recent_tracks = deque(maxlen=8)
best = {"loss": float("inf"), "track": None}
trace = []


def misfit():
    track, speeds = integrate(pos0, vel0, log_gm.exp(), log_drag.exp(), n_steps)
    chi = ((track - observed) ** 2).mean() / sigma ** 2
    jerk = (speeds[1:] - speeds[:-1]).pow(2).mean()
    return chi + 1e-3 * jerk, track


def remember(loss, track):
    value = loss.item()
    track = track.detach()
    recent_tracks.append(track)
    if value < best["loss"]:
        best["loss"], best["track"] = value, track.clone()
    trace.append((value, log_gm.exp().item(), log_drag.detach().exp()))



def rough_fit(n_iter, lr):
    adam = torch.optim.Adam(params, lr=lr)
    sched = torch.optim.lr_scheduler.ExponentialLR(adam, 0.97)
    for it in range(n_iter):
        adam.zero_grad()
        loss, track = misfit()
        loss.backward()
        adam.step()
        sched.step()
        remember(loss, track)
        if it % 10 == 0:
            print("adam %2d  chi2 %10.3f  gm %.4f  drag %.4f" % ((it,) + tuple(float(v) for v in trace[-1])))


rough_fit(70, 0.05)
lbfgs = torch.optim.LBFGS(params, lr=0.5, max_iter=5, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    loss, track = misfit()
    loss.backward()
    remember(loss, track)
    return loss


for it in range(4):
    loss = lbfgs.step(closure)
    print("lbfgs %d  chi2 %.3f" % (it, loss.item()))

wobble = torch.stack(list(recent_tracks)).std(0).max().item()
print("gm %.4f (true %.2f)  drag %.4f (true %.2f)  last tracks differ by %.1e" % (
    log_gm.exp().item(), true_gm, log_drag.exp().item(), true_drag, wobble))
