# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 60
# Adsorption isotherms (Langmuir + Freundlich blend) by L-BFGS, a fresh noisy isotherm each call.
import functools

import torch

torch.set_num_threads(1)
torch.manual_seed(71)

pressure = torch.linspace(0.05, 2.0, 30)
theta = torch.nn.ParameterDict({
    "qmax": torch.nn.Parameter(torch.tensor(1.0)),
    "k": torch.nn.Parameter(torch.tensor(0.0)),
    "n": torch.nn.Parameter(torch.tensor(0.5)),
    "blend": torch.nn.Parameter(torch.tensor(0.0)),
})


def uptake(th):
    k = th["k"].exp()
    langmuir = th["qmax"] * k * pressure / (1 + k * pressure)
    freundlich = pressure.pow(torch.sigmoid(th["n"]))
    mix = torch.sigmoid(th["blend"])
    return mix * langmuir + (1 - mix) * freundlich


def evaluate(solver, measured):
    solver.zero_grad()
    residual = uptake(theta) - measured
    cost = residual.square().sum()
    cost.backward(retain_graph=True)  # <- culprit
    return cost


solver = torch.optim.LBFGS(theta.values(), lr=0.2, max_iter=3, history_size=4)
truth = 2.0 * 1.5 * pressure / (1 + 1.5 * pressure)
for n in range(250):
    measured = truth + 0.05 * torch.randn(30)
    cost = solver.step(functools.partial(evaluate, solver, measured))
    if n % 50 == 49:
        print(n + 1, float(cost))
