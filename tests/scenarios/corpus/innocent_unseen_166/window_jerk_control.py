# gradwatch-corpus: kind=none
"""Policy for a cart unrolled through its physics; jerk penalty over the last commands of a window."""
import argparse
from collections import deque

import torch
import torch.nn as nn

torch.set_num_threads(1)


class Cart:
    def __init__(self, batch, dt=0.1):
        self.batch, self.dt = batch, dt
        self.friction = torch.tensor(-1.0)

    def reset(self, gen):
        self.x = torch.randn(self.batch, 1, generator=gen)
        self.v = torch.zeros(self.batch, 1)

    def cut(self):
        self.x, self.v = self.x.detach(), self.v.detach()

    def step(self, force):
        drag = torch.exp(self.friction)
        self.v = self.v + self.dt * (force - drag * self.v)
        self.x = self.x + self.dt * self.v
        return torch.cat([self.x, self.v], 1)


class Controller:
    def __init__(self, batch, horizon, gen):
        self.cart = Cart(batch)
        self.net = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 1))
        self.commands = deque(maxlen=4)
        self.horizon, self.gen = horizon, gen
        self.log = []

    def parameters(self):
        return self.net.parameters()

    def jerk(self):
        u = list(self.commands)
        if len(u) < 3:
            return torch.zeros(())
        return sum((u[i] - 2 * u[i + 1] + u[i + 2]).pow(2).mean() for i in range(len(u) - 2))

    def window(self):
        cost = torch.zeros(())
        obs = torch.cat([self.cart.x, self.cart.v], 1)
        for _ in range(self.horizon):
            u = 2 * torch.tanh(self.net(obs))
            self.commands.append(u)
            obs = self.cart.step(u)
            cost = cost + obs.pow(2).sum(1).mean() + 0.1 * self.jerk()
        return cost / self.horizon

    def close_window(self):
        self.cart.cut()
        kept = [u.detach() for u in self.commands]
        self.commands.clear()
        self.commands.extend(kept)

    def episode(self, n_windows, opt):
        self.cart.reset(self.gen)
        self.commands.clear()
        for _ in range(n_windows):
            loss = self.window()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(list(self.parameters()), 2.0)
            opt.step()
            self.close_window()
            self.log.append(loss.item())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--episodes", type=int, default=20)
    ap.add_argument("--windows", type=int, default=6)
    ap.add_argument("--horizon", type=int, default=8)
    args = ap.parse_args()
    torch.manual_seed(0)
    ctl = Controller(32, args.horizon, torch.Generator().manual_seed(0))
    opt = torch.optim.Adam(ctl.parameters(), lr=5e-3)
    for ep in range(args.episodes):
        ctl.episode(args.windows, opt)
        if ep % 4 == 0:
            print(f"episode {ep} cost {sum(ctl.log[-args.windows:]) / args.windows:.4f}")


if __name__ == "__main__":
    main()
