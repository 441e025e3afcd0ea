# gradwatch-corpus: kind=none
"""Neural ODE for predator and prey; a generator decides when the window of losses ends."""
import itertools

import torch
from torch import nn

torch.manual_seed(131)


class Dynamics(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Softplus(), nn.Linear(width, 2))

    def forward(self, state):
        return state * self.net(state)


def integrate(f, state, steps, dt=0.05):
    out = []
    for _ in range(steps):
        k1 = f(state)
        k2 = f(state + 0.5 * dt * k1)
        state = state + dt * k2
        out.append(state)
    return torch.stack(out, dim=1)


def true_rate(state):
    prey, hunter = state.unbind(-1)
    return torch.stack([prey * (1.1 - 0.6 * hunter), hunter * (0.5 * prey - 0.9)], dim=-1)


def window_lengths():
    yield from (5, 10, 20)
    for n in itertools.cycle((30, 45, 60)):
        yield n


def schedule(optimizer, base):
    """Receives losses, gives back the rate for the following round."""
    rate, previous = base, None
    for length in window_lengths():
        window = []
        while len(window) < length:
            loss = yield rate
            window.append(loss)
        values = torch.stack(list(itertools.islice(window, length // 2, None))).detach()
        current = values.median().item()
        if previous is not None and current > 0.97 * previous:
            rate *= 0.7
        previous = current
        for group in optimizer.param_groups:
            group["lr"] = rate


def main():
    f = Dynamics()
    optimizer = torch.optim.Adam(f.parameters(), lr=1e-2)
    control = schedule(optimizer, base=1e-2)
    rate = next(control)
    for round_ in range(440):
        start = 0.5 + torch.rand(24, 2)
        horizon = 4 + round_ % 5
        with torch.no_grad():
            target = integrate(true_rate, start, horizon)
        path = integrate(f, start, horizon)
        loss = (path - target).abs().mean() + (path - target).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(f.parameters(), 1.0)
        optimizer.step()
        rate = control.send(loss)
        if round_ % 55 == 0:
            print(f"{round_} horizon {horizon} loss {loss.item():.4f} rate {rate:.5f}")
    control.close()


if __name__ == "__main__":
    main()
