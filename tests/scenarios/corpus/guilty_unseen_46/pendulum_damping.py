# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""
Estimate damping and length of a pendulum from a noisy recording of its angle.
Physics lab report, group 4.
"""
import math

import numpy as np
import torch

torch.manual_seed(4)
np.random.seed(4)

g = 9.81
dt = 0.02
n_steps = 150
n_epochs = 80
true_L, true_b = 0.80, 0.35


def measure(theta0, omega0):
    th, om = theta0, omega0
    rec = [th]
    for _ in range(n_steps - 1):
        acc = -g / true_L * math.sin(th) - true_b * om
        om = om + dt * acc
        th = th + dt * om
        rec.append(th)
    rec = np.array(rec) + np.random.normal(0, 0.01, n_steps)
    return torch.tensor(rec, dtype=torch.float32)


def simulate(theta0, omega0, L, b, n_steps, dt):
    """semi-implicit Euler; columns: angle, angular velocity"""
    traj = torch.zeros(n_steps, 2)
    traj[0, 0] = theta0
    traj[0, 1] = omega0
    for k in range(n_steps - 1):
        acc = -g / L * torch.sin(traj[k, 0]) - b * traj[k, 1]
        traj[k + 1, 1] = traj[k, 1] + dt * acc  # <- culprit
        traj[k + 1, 0] = traj[k, 0] + dt * traj[k + 1, 1]  # <- culprit
    return traj


def energy(traj, L):
    return 0.5 * (L * traj[:, 1]) ** 2 + g * L * (1 - torch.cos(traj[:, 0]))


def fit(recording, theta0, omega0, L_guess, b_guess, lr, n_epochs):
    log_L = torch.nn.Parameter(torch.tensor(math.log(L_guess)))
    log_b = torch.nn.Parameter(torch.tensor(math.log(b_guess)))
    opt = torch.optim.Adam([log_L, log_b], lr=lr)
    for epoch in range(n_epochs):
        L, b = torch.exp(log_L), torch.exp(log_b)
        traj = simulate(theta0, omega0, L, b, n_steps, dt)
        misfit = torch.mean((traj[:, 0] - recording) ** 2)
        opt.zero_grad()
        misfit.backward()
        opt.step()
        if epoch % 10 == 0:
            with torch.no_grad():
                lost = 1 - (energy(traj, L)[-1] / energy(traj, L)[0]).item()
            print(f"epoch {epoch:3d}  misfit {misfit.item():.5f}  L {L.item():.3f} m  "
                  f"b {b.item():.3f} 1/s  energy lost {100 * lost:.0f} %")
    return L.item(), b.item()


if __name__ == "__main__":
    theta0, omega0 = 0.9, 0.0
    rec = measure(theta0, omega0)
    L_fit, b_fit = fit(rec, theta0, omega0, L_guess=1.0, b_guess=0.1, lr=0.02, n_epochs=n_epochs)
    print(f"length  {L_fit:.3f} m   (true {true_L})")
    print(f"damping {b_fit:.3f} 1/s (true {true_b})")
