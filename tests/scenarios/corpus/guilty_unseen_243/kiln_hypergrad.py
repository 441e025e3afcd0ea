# gradwatch-corpus: kind=graph-chain
# holder: self.weights | potter.weights
# first-bad: 1
"""Learned per-tensor step sizes for a glaze-colour regressor (hypergradient descent, functional weights)."""
import torch
import torch.nn.functional as F


class Kiln:
    def __init__(self, oxides=8, seed=3):
        self.gen = torch.Generator().manual_seed(seed)
        self.recipe = torch.randn(oxides, 3, generator=self.gen)
        self.oxides = oxides

    def fire(self, tiles):
        mix = torch.rand(tiles, self.oxides, generator=self.gen)
        mix = mix / mix.sum(1, keepdim=True)
        colour = torch.sin(4.0 * mix @ self.recipe)
        return mix, colour


class StepSchedule:
    """Base for schedules which map a weight's name onto a step size."""

    def step_for(self, name):
        raise NotImplementedError

    def learnables(self):
        return []


class LearnedSteps(StepSchedule):
    def __init__(self, names, start):
        self.log_steps = {}
        for name in names:
            self.log_steps[name] = torch.tensor(float(start)).log().requires_grad_()

    def step_for(self, name):
        return self.log_steps[name].exp()

    def learnables(self):
        return list(self.log_steps.values())


class Potter:
    def __init__(self, oxides, hidden, schedule_cls=LearnedSteps):
        self.weights = {
            "w_in": (torch.randn(oxides, hidden) * 0.6).requires_grad_(),
            "b_in": torch.zeros(hidden).requires_grad_(),
            "w_out": (torch.randn(hidden, 3) * 0.2).requires_grad_(),
            "b_out": torch.zeros(3).requires_grad_(),
        }
        self.schedule = schedule_cls(self.weights.keys(), 0.05)

    def predict(self, mix):
        slip = torch.tanh(mix @ self.weights["w_in"] + self.weights["b_in"])
        return slip @ self.weights["w_out"] + self.weights["b_out"]

    def inner_step(self, mix, colour):
        misfit = F.mse_loss(self.predict(mix), colour)
        names = list(self.weights)
        slopes = torch.autograd.grad(misfit, [self.weights[n] for n in names], create_graph=True)
        moved = {}
        for name, slope in zip(names, slopes):
            moved[name] = self.weights[name] - self.schedule.step_for(name) * slope
        self.weights = moved  # <- culprit
        return misfit.item()


def main():
    torch.manual_seed(29)
    kiln = Kiln()
    potter = Potter(kiln.oxides, 16)
    hyper = torch.optim.Adam(potter.schedule.learnables(), lr=0.02)
    for firing in range(70):
        mix, colour = kiln.fire(32)
        inner = potter.inner_step(mix, colour)
        test_mix, test_colour = kiln.fire(32)
        outer = F.mse_loss(potter.predict(test_mix), test_colour)
        hyper.zero_grad()
        outer.backward(retain_graph=True)  # <- culprit
        hyper.step()
        if firing % 14 == 0:
            steps = {n: round(s.exp().item(), 4) for n, s in potter.schedule.log_steps.items()}
            print(f"firing {firing} inner {inner:.4f} outer {outer.item():.4f} {steps}")


if __name__ == "__main__":
    main()
