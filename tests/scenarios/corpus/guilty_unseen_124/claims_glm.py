# gradwatch-corpus: kind=graph-chain
# holder: smooth | fitter.smooth | self.smooth
# first-bad: 1
# notice: 5
"""Poisson frequency model for motor claims, fitted on a smoothed likelihood."""
import torch

torch.set_num_threads(1)
torch.manual_seed(2024)


class ClaimsFitter:
    def __init__(self, n_features, decay=0.8, lr=0.02):
        self.beta = torch.zeros(n_features, requires_grad=True)
        self.bias = torch.zeros((), requires_grad=True)
        self.decay = decay
        self.smooth = torch.zeros(())
        self.opt = torch.optim.SGD([self.beta, self.bias], lr=lr)

    def nll(self, x, exposure, counts):
        eta = x @ self.beta + self.bias + exposure.log()
        return (eta.clamp(max=6).exp() - counts * eta).mean()

    def objective(self, batch):
        self.smooth = self.decay * self.smooth + (1 - self.decay) * self.nll(*batch)  # <- culprit
        return self.smooth

    def update(self, batch):
        self.opt.zero_grad()
        obj = self.objective(batch)
        obj.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        return obj.item()


def policies(n, truth):
    x = torch.randn(n, len(truth)) * 0.5
    exposure = torch.rand(n) * 0.9 + 0.1
    return x, exposure, torch.poisson(exposure * (x @ truth - 0.5).exp())


truth = torch.tensor([0.6, -0.4, 0.0, 0.3, 0.1])
fitter = ClaimsFitter(len(truth))
for quarter in range(10):
    for _ in range(26):
        value = fitter.update(policies(64, truth))
    print(f"Q{quarter}: {value:.4f}", [round(b, 2) for b in fitter.beta.tolist()])
