# gradwatch-corpus: kind=graph-chain
# holder: self.state | filter.state
# first-bad: 1
"""Online estimation of a diffusivity field from noisy observations of a rod."""
import torch


def laplacian(u, dx):
    left, right = torch.roll(u, 1), torch.roll(u, -1)
    return (left - 2 * u + right) / dx ** 2


class Truth:
    def __init__(self, n, dt, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        s = torch.linspace(0, 1, n + 1)[:-1]
        self.dx, self.dt = 1.0 / n, dt
        self.kappa = 0.02 + 0.015 * torch.sin(2 * torch.pi * s)
        self.source = 2.0 * torch.cos(4 * torch.pi * s)
        self.u = torch.sin(2 * torch.pi * s)

    def observe(self):
        self.u = self.u + self.dt * (self.kappa * laplacian(self.u, self.dx) + self.source)
        return self.u + 0.01 * torch.randn(self.u.shape, generator=self.gen)


class ParameterFilter:
    def __init__(self, truth, nudging=0.2, lr=0.02):
        n = len(truth.u)
        self.dx, self.dt, self.source = truth.dx, truth.dt, truth.source
        self.log_kappa = torch.full((n,), 0.02).log().requires_grad_()
        self.optimizer = torch.optim.RMSprop([self.log_kappa], lr=lr)
        self.nudging = nudging
        self.state = truth.u.clone()

    def forecast(self):
        kappa = self.log_kappa.exp()
        tendency = kappa * laplacian(self.state, self.dx) + self.source
        return self.state + self.dt * tendency

    def prior(self):
        return (self.log_kappa - torch.roll(self.log_kappa, 1)).abs().mean()

    def assimilate(self, obs):
        background = self.forecast()
        misfit = (background - obs).pow(2).mean()
        loss = 100 * misfit + 0.01 * self.prior()
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)
        self.optimizer.step()
        self.state = background + self.nudging * (obs - background)  # <- culprit
        return misfit.item()


def main():
    torch.manual_seed(0)
    truth = Truth(n=32, dt=0.005)
    filter = ParameterFilter(truth)
    errors = []
    for cycle in range(420):
        errors.append(filter.assimilate(truth.observe()))
        if cycle % 60 == 0:
            est = filter.log_kappa.detach().exp()
            gap = (est - truth.kappa).abs().mean().item()
            print(f"cycle {cycle:4d} misfit {errors[-1]:.6f} kappa error {gap:.5f}")
    print("mean misfit of the last 50 cycles", sum(errors[-50:]) / 50)


if __name__ == "__main__":
    main()
