# gradwatch-corpus: kind=none
"""Michaelis-Menten with substrate inhibition, refit for every bootstrap sample."""
import torch

torch.set_num_threads(1)
torch.manual_seed(1913)

S = torch.tensor([0.5, 1, 2, 4, 8, 16, 32, 64.0])
TRUE = dict(vmax=10.0, km=3.0, ki=60.0)


def velocity(s, vmax, km, ki):
    return vmax * s / (km + s + s * s / ki)


plate = velocity(S, **TRUE).repeat(4, 1) + 0.25 * torch.randn(4, len(S))


class Fit:
    def __init__(self, rates):
        self.rates = rates
        self.theta = torch.tensor([2.0, 1.0, 3.5], requires_grad=True)  # logs
        self.opt = torch.optim.LBFGS([self.theta], lr=0.7, max_iter=4, history_size=6)
        self.trace = []

    def misfit(self):
        return ((velocity(S, *self.theta.exp()) - self.rates) ** 2).mean()

    def closure(self):
        self.opt.zero_grad()
        loss = self.misfit()
        loss.backward()
        self.trace.append(loss.item())
        return loss

    def run(self, steps):
        for _ in range(steps):
            last = self.opt.step(self.closure)
        return self.theta.detach().exp(), float(last)


estimates = []
for b in range(60):
    rows = torch.randint(0, 4, (len(S),))
    sample = plate[rows, torch.arange(len(S))]
    fit = Fit(sample)
    est, sse = fit.run(10)
    estimates.append(est)
    if b % 10 == 0:
        print(b, [round(v, 2) for v in est.tolist()], f"{sse:.4f}", len(fit.trace))

boot = torch.stack(estimates)
print("median", boot.median(0).values.tolist())
