# gradwatch-corpus: kind=none
"""Neural-ODE style fit of a damped oscillator.  Log lines are lazy and written out every 25 iterations."""
import torch

from oscillator import VectorField, integrate, true_path
from lazylog import LazyLog


def main(n_iter=325):
    torch.set_num_threads(1)
    torch.manual_seed(9)
    field = VectorField(hidden=16)
    opt = torch.optim.Adam(field.parameters(), lr=5e-3)
    log = LazyLog(flush_every=25)

    for it in range(n_iter):
        y0 = torch.randn(12, 2)
        target = true_path(y0, steps=6, dt=0.15)
        path = integrate(field, y0, steps=6, dt=0.15)
        fit = (path - target).pow(2).mean()
        energy = path.pow(2).sum(-1).diff(dim=0).relu().mean()
        loss = fit + 0.05 * energy

        opt.zero_grad()
        loss.backward()
        opt.step()
        log.add(it, lambda fit=fit, energy=energy: (fit.item(), energy.item()))
    log.flush()


if __name__ == "__main__":
    main()
