# gradwatch-corpus: kind=none
"""Neural ODE of a fed-batch bioreactor, trained on a running process: short windows are integrated
with RK4, the memory-saving adjoint is a custom Function, and each window starts where the last ended."""
import torch
from torch import nn

STATE, CONTROL = 3, 1


class Dynamics(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(STATE + CONTROL, hidden), nn.Tanh(), nn.Linear(hidden, STATE))

    def forward(self, state, feed):
        return self.net(torch.cat([state, feed], -1)) - 0.1 * state


def rk4(f, state, feed, dt):
    k1 = f(state, feed)
    k2 = f(state + dt / 2 * k1, feed)
    k3 = f(state + dt / 2 * k2, feed)
    k4 = f(state + dt * k3, feed)
    return state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


class CheckpointedStep(torch.autograd.Function):
    """One RK4 step that keeps only its inputs and is run again on the way back."""

    @staticmethod
    def forward(ctx, f, dt, state, feed, *params):
        ctx.f, ctx.dt = f, dt
        ctx.save_for_backward(state, feed, *params)
        with torch.no_grad():
            return rk4(f, state, feed, dt)

    @staticmethod
    def backward(ctx, grad):
        state, feed, *params = ctx.saved_tensors
        with torch.enable_grad():
            again = state.detach().requires_grad_()
            out = rk4(ctx.f, again, feed, ctx.dt)
            grads = torch.autograd.grad(out, [again, *params], grad)
        return (None, None, grads[0], None, *grads[1:])


class Plant:
    def __init__(self, reactors, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.state = torch.rand(reactors, STATE, generator=self.gen)

    def _rate(self, s, feed):
        biomass, sugar, product = s.unbind(-1)
        growth = biomass * sugar / (0.3 + sugar.abs())
        return torch.stack([growth - 0.4 * biomass, feed.squeeze(-1) - growth, 0.5 * biomass - 0.3 * product], -1)

    def window(self, length, dt):
        feeds, states = [], []
        for _ in range(length):
            feed = torch.rand(len(self.state), CONTROL, generator=self.gen)
            self.state = rk4(self._rate, self.state, feed, dt)
            feeds.append(feed)
            states.append(self.state)
        return feeds, states


class Estimator:
    def __init__(self, dynamics, start, dt):
        self.dynamics, self.dt = dynamics, dt
        self.params = list(dynamics.parameters())
        self.optimizer = torch.optim.Adam(self.params, lr=3e-3)
        self.carried = start.clone()
        self.total = 0.0

    def fit_window(self, feeds, states):
        state, loss = self.carried, 0.0
        for feed, measured in zip(feeds, states):
            state = CheckpointedStep.apply(self.dynamics, self.dt, state, feed, *self.params)
            loss = loss + (state - measured).pow(2).mean()
        loss = loss / len(feeds)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        with torch.no_grad():
            self.carried = state.lerp(states[-1], 0.3)
        self.total += loss.item()


def main():
    torch.manual_seed(13)
    torch.set_num_threads(1)
    plant = Plant(reactors=6, seed=14)
    estimator = Estimator(Dynamics(), plant.state, dt=0.1)
    before = 0.0
    for window in range(1, 241):
        estimator.fit_window(*plant.window(4, 0.1))
        if window % 60 == 0:
            print(f"window {window}: mse {(estimator.total - before) / 60:.5f}")
            before = estimator.total


if __name__ == "__main__":
    main()
