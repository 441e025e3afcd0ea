# gradwatch-corpus: kind=none
"""Michaelis-Menten kinetics with inhibition, fitted by LBFGS on fresh plates.

The line search evaluates the closure many times; what it has seen in the step is
kept for the convergence report of that step.
"""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(1913)


class Kinetics(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_v = nn.Parameter(torch.zeros(()))
        self.log_km = nn.Parameter(torch.zeros(()))
        self.log_ki = nn.Parameter(torch.zeros(()))
        self.offset = nn.Parameter(torch.zeros(4))

    def forward(self, s, inh, plate):
        km = self.log_km.clamp(-3, 3).exp() * (1 + inh / self.log_ki.clamp(-3, 3).exp())
        return self.log_v.clamp(-3, 3).exp() * s / (km + s) + self.offset[plate]


def plates(n, sigma):
    s = torch.rand(n) * 5
    inh = torch.rand(n) * 2
    plate = torch.randint(0, 4, (n,))
    v = 2.3 * s / (0.7 * (1 + inh / 0.4) + s) + torch.tensor([0.1, -0.05, 0.0, 0.2])[plate]
    return s, inh, plate, v + sigma * torch.randn(n)


class Fitter:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.LBFGS(model.parameters(), lr=0.4, max_iter=3, max_eval=6,
                                     history_size=5, line_search_fn="strong_wolfe")
        self.seen = []
        self.best = None
        self.evaluations = []

    def step(self, data, weight):
        s, inh, plate, v = data
        self.seen.clear()

        def closure():
            self.opt.zero_grad()
            resid = self.model(s, inh, plate) - v
            loss = (weight * resid ** 2).mean() + 1e-3 * self.model.offset.pow(2).sum()
            if loss.requires_grad:
                loss.backward()
            self.seen.append(loss)
            return loss

        first = self.opt.step(closure)
        self.last_closure = closure
        self.evaluations.append(len(self.seen))
        lowest = min(self.seen)
        if self.best is None or lowest < self.best:
            self.best = lowest
        return first, lowest


def main():
    fitter = Fitter(Kinetics())
    for step in range(400):
        sigma = 0.3 if step < 150 else 0.1 if step < 300 else 0.03
        first, lowest = fitter.step(plates(160, sigma), weight=0.09 / sigma ** 2)
        if step % 80 == 79:
            m = fitter.model
            print(f"step {step + 1}: {first:.4f} -> {lowest:.4f} (best {fitter.best:.4f}) "
                  f"v={m.log_v.exp():.2f} km={m.log_km.exp():.2f} ki={m.log_ki.exp():.2f} "
                  f"evals {sum(fitter.evaluations)}")


if __name__ == "__main__":
    main()
