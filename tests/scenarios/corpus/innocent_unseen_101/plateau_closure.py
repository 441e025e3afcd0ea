# gradwatch-corpus: kind=none
# PINN-style fit of a damped oscillator: data term + ODE residual, step size halved on a plateau.
import torch
from torch import nn


def plateau_watch(patience, limit, min_gain):
    """Returns watch(loss) -> True when the step size should go down.

    A window collects losses as long as they do not beat its first one clearly.
    """
    window = []

    def watch(loss):
        if window and loss < window[0] * (1 - min_gain):
            window.clear()
        window.append(loss)
        if len(window) < patience:
            return False
        early = sum(window[: patience // 2]) / (patience // 2)
        late = sum(window[-patience // 2:]) / len(window[-patience // 2:])
        stuck = bool(late > early * (1 - min_gain / 4))
        if stuck or len(window) >= limit:
            window.clear()
        return stuck

    return watch


def make_net(width):
    net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
    for m in net:
        if isinstance(m, nn.Linear):
            nn.init.xavier_normal_(m.weight)
            nn.init.zeros_(m.bias)
    return net


def truth(t, k=9.0, c=0.6):
    w = (k - (c / 2) ** 2) ** 0.5
    return torch.exp(-c / 2 * t) * torch.cos(w * t)


def ode_residual(net, t, k, c):
    t = t.clone().requires_grad_(True)
    u = net(t)
    du, = torch.autograd.grad(u.sum(), t, create_graph=True)
    ddu, = torch.autograd.grad(du.sum(), t, create_graph=True)
    return ddu + c * du + k * u


def main():
    torch.set_num_threads(1)
    torch.manual_seed(80)
    net = make_net(20)
    log_k = nn.Parameter(torch.tensor(1.5))
    log_c = nn.Parameter(torch.tensor(-1.0))
    opt = torch.optim.Adam([{"params": net.parameters()}, {"params": [log_k, log_c], "lr": 1e-2}], lr=4e-3)
    lower = plateau_watch(patience=16, limit=40, min_gain=0.25)

    t_obs = torch.linspace(0, 3, 40).unsqueeze(1)
    u_obs = truth(t_obs) + 0.02 * torch.randn(40, 1)
    cuts = 0
    for step in range(500):
        t_col = 3 * torch.rand(24, 1)
        data = (net(t_obs) - u_obs).pow(2).mean()
        physics = ode_residual(net, t_col, log_k.exp(), log_c.exp()).pow(2).mean()
        loss = data + 2e-3 * physics
        opt.zero_grad()
        loss.backward()
        opt.step()
        if lower(loss):
            cuts += 1
            for group in opt.param_groups:
                group["lr"] = max(group["lr"] * 0.8, 5e-4)
        if step % 80 == 0:
            print(f"{step:3d} data {data.item():.4f} physics {physics.item():.3f} "
                  f"k {log_k.exp().item():.2f} c {log_c.exp().item():.2f} cuts {cuts}")


if __name__ == "__main__":
    main()
