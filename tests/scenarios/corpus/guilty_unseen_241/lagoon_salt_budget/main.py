# gradwatch-corpus: kind=graph-chain
# holder: self.surplus | ledger.surplus | self.ledger.surplus | surveyor.ledger.surplus
# first-bad: 1
import torch

from ledger import SaltLedger
from surrogate import SalinityNet, tidal_batch


class TideSurveyor:
    def __init__(self, lr=0.02, closure_weight=0.05):
        self.net = SalinityNet()
        self.params = {k: v.detach().clone().requires_grad_() for k, v in self.net.named_parameters()}
        self.velocity = {k: torch.zeros_like(v) for k, v in self.params.items()}
        self.ledger = SaltLedger(n_cells=12)
        self.lr = lr
        self.closure_weight = closure_weight
        self.rng = torch.Generator().manual_seed(9)

    def predict(self, coords):
        return torch.func.functional_call(self.net, self.params, (coords,))

    def residual(self, coords):
        coords = coords.requires_grad_()
        salinity = self.predict(coords)
        slope = torch.autograd.grad(salinity.sum(), coords, create_graph=True)[0]
        s_x = slope[:, 0]
        s_t = slope[:, 1]
        advect = torch.sin(2 * torch.pi * coords[:, 1].detach())
        return (s_t + advect * s_x).pow(2).mean()

    def survey(self, cycle):
        coords, probes, observed = tidal_batch(self.rng)
        misfit = (self.predict(probes).squeeze(-1) - observed).pow(2).mean()
        physics = self.residual(coords)
        through_inlet = self.predict(self.ledger.inlet(cycle)).squeeze(-1)
        closure = self.ledger.settle(through_inlet)
        loss = misfit + 0.1 * physics + self.closure_weight * closure
        grads = torch.autograd.grad(loss, list(self.params.values()))
        self.descend(grads)
        return {"misfit": misfit.item(), "physics": physics.item(), "closure": closure.item()}

    def descend(self, grads):
        fresh = {}
        for (name, value), grad in zip(self.params.items(), grads):
            self.velocity[name].mul_(0.9).add_(grad)
            fresh[name] = (value.detach() - self.lr * self.velocity[name]).requires_grad_()
        self.params = fresh


def main():
    torch.manual_seed(9)
    surveyor = TideSurveyor()
    for cycle in range(110):
        row = surveyor.survey(cycle)
        if cycle % 20 == 0:
            print(cycle, " ".join(f"{k}={v:.5f}" for k, v in row.items()))


if __name__ == "__main__":
    main()
