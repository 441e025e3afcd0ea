# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(114)


class MichaelisMenten(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_vmax = nn.Parameter(torch.zeros(()))
        self.log_km = nn.Parameter(torch.zeros(()))
        self.log_ki = nn.Parameter(torch.ones(()))

    def forward(self, s):
        return self.log_vmax.exp() * s / (self.log_km.exp() + s + s * s / self.log_ki.exp())


def fit_one(s, v, steps):
    model = MichaelisMenten()
    opt = torch.optim.LBFGS(model.parameters(), lr=0.3, max_iter=4, history_size=5)
    trace = []

    def closure():
        opt.zero_grad()
        loss = ((model(s) - v) ** 2).mean() + 1e-4 * sum(p ** 2 for p in model.parameters())
        loss.backward()
        trace.append(loss.item())
        return loss

    for _ in range(steps):
        final = opt.step(closure)
    return model, final.item(), len(trace)


fits = []
for replicate in range(18):
    vmax, km, ki = (0.5 + 2 * torch.rand(3)).tolist()
    s = torch.linspace(0.1, 8, 25)
    v = vmax * s / (km + s + s * s / (4 * ki)) + 0.02 * torch.randn(25)
    model, final, evals = fit_one(s, v, 30)
    fits.append({n: p.exp().item() for n, p in model.named_parameters()})
    if replicate % 4 == 0:
        print(replicate, final, evals, fits[-1])
