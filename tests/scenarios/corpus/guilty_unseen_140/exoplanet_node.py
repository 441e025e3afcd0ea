# gradwatch-corpus: kind=second-backward
# holder: initial_state | initial_state.cache_info() | initial_state(0)
# first-bad: 4
# notice: 0
# Atmospheric relaxation of four observed planets: latent ODE with an encoder per planet.
from functools import cache
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(55)

PLANETS, CHANNELS, LATENT = 4, 9, 4
visits = torch.linspace(0, 1, 6)
spectra = torch.rand(PLANETS, CHANNELS)
lightcurves = torch.stack([a * torch.exp(-b * visits) + c for a, b, c in torch.rand(PLANETS, 3).tolist()])

encoder = nn.Sequential(nn.Linear(CHANNELS, 12), nn.ELU(), nn.Linear(12, LATENT))
field = nn.Sequential(nn.Linear(LATENT, 12), nn.Tanh(), nn.Linear(12, LATENT))
emit = nn.Linear(LATENT, 1)


@cache  # <- culprit
def initial_state(planet):
    return encoder(spectra[planet])  # <- culprit


def rk4(f, y, h):
    k1 = f(y)
    k2 = f(y + h / 2 * k1)
    k3 = f(y + h / 2 * k2)
    k4 = f(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def solve(y, times):
    """Recursive over the grid; returns the list of states."""
    if len(times) < 2:
        return [y]
    return [y] + solve(rk4(field, y, float(times[1] - times[0])), times[1:])


def brightness(planet):
    return emit(torch.stack(solve(initial_state(planet), visits))).squeeze(1)


def objective(planet):
    residual = brightness(planet) - lightcurves[planet]
    spread = initial_state(planet).pow(2).mean()
    return residual.pow(2).mean() + 1e-3 * spread


params = [*encoder.parameters(), *field.parameters(), *emit.parameters()]
sgd = torch.optim.SGD(params, lr=0.05, momentum=0.8)
board = {p: [] for p in range(PLANETS)}
for night in range(300):
    target = night % PLANETS
    loss = objective(target)
    sgd.zero_grad()
    loss.backward()
    sgd.step()
    board[target].append(loss.item())
    if night % 60 == 59:
        print(night + 1, {p: round(v[-1], 4) for p, v in board.items()})
