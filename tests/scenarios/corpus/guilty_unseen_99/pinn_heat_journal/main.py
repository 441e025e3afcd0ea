# gradwatch-corpus: kind=graph-held
# holder: journal._entries | self._entries | self.journal._entries
# first-bad: 1
# notice: 8
"""Physics-informed network for the 1-D heat equation u_t = kappa u_xx with unknown kappa."""
import torch

from journal import Journal
from physics import HeatNet, boundary_terms, residual

N_ITER = 220


def make_step(net, opt, journal):
    gen = torch.Generator().manual_seed(1)

    def step(it):
        x = torch.rand(24, 1, generator=gen, requires_grad=True)
        t = torch.rand(24, 1, generator=gen, requires_grad=True)
        pde = residual(net, x, t).pow(2).mean()
        ic, bc = boundary_terms(net, gen)
        total = pde + 10.0 * ic + bc

        opt.zero_grad()
        total.backward()
        opt.step()
        journal.note(it, pde=pde, ic=ic, bc=bc)  # <- culprit
        return total.item()

    return step


def main():
    torch.set_num_threads(1)
    torch.manual_seed(2)
    net = HeatNet(width=16)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    journal = Journal()
    step = make_step(net, opt, journal)
    for it in range(N_ITER):
        total = step(it)
        if it % 44 == 0:
            print(f"{it:4d} total={total:.4f} kappa={net.kappa.item():.4f}")
    print(journal.render(last=5))


if __name__ == "__main__":
    main()
