"""Two-compartment oral pharmacokinetics, explicit midpoint steps."""
from functools import lru_cache, reduce
import torch

STEP, N_STEPS = 0.4, 14
POPULATION = [torch.zeros(4).sub_(1.0).requires_grad_()]


def regimen(patient):
    g = torch.Generator().manual_seed(patient)
    doses = torch.zeros(N_STEPS)
    doses[0] = 4 + 2 * torch.rand((), generator=g)
    doses[torch.randint(4, N_STEPS, (), generator=g)] += 3.0
    return doses


def rhs(k, state):
    gut, central, peripheral = state.unbind()
    ka, ke, k12, k21 = k
    return torch.stack([-ka * gut,
                        ka * gut - (ke + k12) * central + k21 * peripheral,
                        k12 * central - k21 * peripheral])


def two_compartment(log_k, doses):
    k = log_k.exp().unbind()

    def advance(acc, dose):
        state, curve = acc
        state = state + torch.stack([dose, torch.zeros(()), torch.zeros(())])
        mid = state + 0.5 * STEP * rhs(k, state)
        state = state + STEP * rhs(k, mid)
        return state, curve + [state[1]]

    _, curve = reduce(advance, doses, (torch.zeros(3), []))
    return torch.stack(curve)


@lru_cache(maxsize=None)  # <- culprit
def concentration(patient):
    return two_compartment(POPULATION[0], regimen(patient))  # <- culprit
