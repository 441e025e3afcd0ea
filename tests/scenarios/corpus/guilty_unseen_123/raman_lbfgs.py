# gradwatch-corpus: kind=graph-held
# holder: refine.evaluations | evaluations
# first-bad: 1
# notice: 8
# Fit of overlapping Raman bands, spectrum after spectrum (a heating series), each refined by two L-BFGS iterations.
import torch

torch.set_num_threads(1)
torch.manual_seed(15)

AXIS = torch.linspace(0, 1, 60)


def lorentz(centre, width, height):
    return (height.exp()[:, None] / (1 + ((AXIS - centre[:, None]) / width.exp()[:, None]) ** 2)).sum(0)


class Bands(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.centre = torch.nn.Parameter(torch.tensor([0.25, 0.5, 0.7]))
        self.width = torch.nn.Parameter(torch.full((3,), -3.0))
        self.height = torch.nn.Parameter(torch.zeros(3))
        self.floor = torch.nn.Parameter(torch.zeros(2))

    def forward(self):
        return lorentz(self.centre, self.width, self.height) + self.floor[0] + self.floor[1] * AXIS


def heating_series(n):
    for i in range(n):
        s = i / n
        centre = torch.tensor([0.27 - 0.02 * s, 0.48, 0.74 - 0.04 * s])
        width = torch.tensor([-2.9, -2.7, -3.1]) + 0.2 * s
        height = torch.tensor([0.2, -0.1, 0.4 - 0.3 * s])
        yield lorentz(centre, width, height) + 0.02 * torch.randn(60)


def refine(bands, solver, spectrum):
    def closure():
        solver.zero_grad()
        cost = (bands() - spectrum).square().mean() + 1e-4 * bands.height.square().sum()
        cost.backward()
        refine.evaluations.append(cost)  # <- culprit
        return cost

    return solver.step(closure)


refine.evaluations = []


def main():
    bands = Bands()
    solver = torch.optim.LBFGS(bands.parameters(), lr=0.3, max_iter=2, history_size=5)
    for i, spectrum in enumerate(heating_series(260)):
        start = refine(bands, solver, spectrum)
        if i % 65 == 64:
            print(f"spectrum {i + 1}: cost {float(start):.5f}, {len(refine.evaluations)} evaluations so far")


if __name__ == "__main__":
    main()
