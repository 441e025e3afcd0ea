# gradwatch-corpus: kind=none
"""Meta-learned dose-response curves: adapts to a new patient from five blood samples (second-order MAML)."""
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F
from torch.func import functional_call


class Patient:
    """Emax curve with personal potency, slope and baseline."""

    def __init__(self, gen):
        u = torch.rand(4, generator=gen)
        self.emax, self.ec50 = 0.5 + u[0], 0.2 + 0.8 * u[1]
        self.hill, self.base = 1 + 2 * u[2], 0.3 * u[3]
        self.gen = gen

    def samples(self, n):
        dose = 2 * torch.rand(n, 1, generator=self.gen)
        power = dose ** self.hill
        effect = self.base + self.emax * power / (power + self.ec50 ** self.hill)
        return dose, effect + 0.02 * torch.randn(n, 1, generator=self.gen)


class Curve(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(),
                                 nn.Linear(hidden, 1))

    def forward(self, dose):
        return self.net(dose)


class MetaLearner:
    def __init__(self, curve, inner_steps=2, meta_lr=3e-3):
        self.curve = curve
        self.inner_steps = inner_steps
        names = [n for n, _ in curve.named_parameters()]
        self.rates = nn.ParameterDict({n.replace(".", "/"): nn.Parameter(torch.tensor(0.1)) for n in names})
        self.optimizer = torch.optim.Adam([*curve.parameters(), *self.rates.parameters()], lr=meta_lr)
        self.adapted = None

    def error(self, weights, samples):
        dose, effect = samples
        return F.mse_loss(functional_call(self.curve, weights, (dose,)), effect)

    def adapt(self, support, second_order=True):
        weights = dict(self.curve.named_parameters())
        for _ in range(self.inner_steps):
            loss = self.error(weights, support)
            grads = torch.autograd.grad(loss, list(weights.values()), create_graph=second_order)
            weights = {n: w - self.rates[n.replace(".", "/")] * g
                       for (n, w), g in zip(weights.items(), grads)}
        return weights

    def meta_step(self, patients):
        self.optimizer.zero_grad()
        query_loss = 0.0
        for patient in patients:
            weights = self.adapt(patient.samples(5))
            query_loss = query_loss + self.error(weights, patient.samples(10))
        query_loss = query_loss / len(patients)
        query_loss.backward()
        self.optimizer.step()
        return query_loss.item()

    def test(self, patients):
        errors = []
        for patient in patients:
            weights = self.adapt(patient.samples(5), second_order=False)
            with torch.no_grad():
                self.adapted = {n: w.clone() for n, w in weights.items()}
                errors.append(self.error(self.adapted, patient.samples(20)).item())
        return sum(errors) / len(errors)


def main(steps=220, cohort=3):
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(6)
    learner = MetaLearner(Curve())
    recent = deque(maxlen=40)
    for step in range(1, steps + 1):
        recent.append(learner.meta_step([Patient(gen) for _ in range(cohort)]))
        if step % 55 == 0:
            test = learner.test([Patient(gen) for _ in range(8)])
            print(f"{step:4d}  query loss {sum(recent) / len(recent):.5f}  new patients {test:.5f}")


if __name__ == "__main__":
    main()
