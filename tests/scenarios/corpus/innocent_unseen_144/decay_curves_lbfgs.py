# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)

torch.manual_seed(23)

# retention curves for 12 cohorts: y = c + a * exp(-b t), one fit per cohort
T = torch.linspace(0, 6, 40)
cohorts = []
for k in range(12):
    a, b, c = 0.6 + 0.3 * torch.rand(()), 0.3 + torch.rand(()), 0.1 * torch.rand(())
    cohorts.append(c + a * torch.exp(-b * T) + 0.01 * torch.randn(40))


def curve(theta):
    a, b, c = torch.nn.functional.softplus(theta)
    return c + a * torch.exp(-b * T)


fits = {}
for k, y in enumerate(cohorts):
    theta = torch.zeros(3, requires_grad=True)
    opt = torch.optim.LBFGS([theta], lr=0.2, max_iter=3, history_size=5, tolerance_grad=0, tolerance_change=0)
    evals = []
    for outer in range(60):
        def closure():
            opt.zero_grad()
            sse = (curve(theta) - y).square().sum()
            sse.backward()
            evals.append(sse.item())
            return sse
        final = opt.step(closure)
    fits[k] = torch.nn.functional.softplus(theta.detach()).tolist()
    print(f"cohort {k:2d} sse {float(final):.5f} evals {len(evals)}", [round(v, 3) for v in fits[k]])
