"""Linearised inverted pendulum on a cart, many copies at once."""
import torch


class PoleBatch:
    obs_dim = 4
    n_actions = 2

    def __init__(self, n, dt=0.05, seed=0):
        self.n, self.dt = n, dt
        self.rng = torch.Generator().manual_seed(seed)
        self.state = torch.zeros(n, 4)
        self.age = torch.zeros(n)
        self.last_length = torch.zeros(n)

    def _fresh(self, k):
        return 0.1 * (torch.rand(k, 4, generator=self.rng) - 0.5)

    def reset(self):
        self.state = self._fresh(self.n)
        self.age.zero_()
        return self.state.clone()

    def step(self, action):
        x, dx, th, dth = self.state.unbind(1)
        push = action.float() * 2 - 1
        ddth = 9.8 * th - 1.5 * push
        ddx = push - 0.3 * ddth * 0.1
        self.state = torch.stack([
            x + self.dt * dx,
            dx + self.dt * ddx * 3,
            th + self.dt * dth,
            dth + self.dt * ddth,
        ], dim=1)
        self.age += 1
        done = (self.state[:, 0].abs() > 2.4) | (self.state[:, 2].abs() > 0.4) | (self.age >= 200)
        reward = 1.0 - self.state[:, 2].abs()
        if done.any():
            self.last_length[done] = self.age[done]
            self.state[done] = self._fresh(int(done.sum()))
            self.age[done] = 0
        return self.state.clone(), reward, done

    def mean_length(self):
        return float(self.last_length.mean())
