# gradwatch-corpus: kind=none
# Powder diffraction peak fit: position, width, height of four peaks and a background, one pattern after another.
import torch

torch.set_num_threads(1)
torch.manual_seed(6)

two_theta = torch.linspace(10, 40, 80)


def pattern(pos, width, height, bg):
    peaks = height * torch.exp(-0.5 * ((two_theta[:, None] - pos) / width) ** 2)
    return peaks.sum(1) + bg[0] + bg[1] * (two_theta - 25) / 15


class Refinement(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.pos = torch.nn.Parameter(torch.tensor([14.0, 20.5, 27.0, 34.0]))
        self.width = torch.nn.Parameter(torch.full((4,), 0.9))
        self.height = torch.nn.Parameter(torch.ones(4))
        self.bg = torch.nn.Parameter(torch.zeros(2))

    def chi2(self, y):
        return (pattern(self.pos, self.width, self.height, self.bg) - y).square().sum()


for run in range(15):
    strain = 0.1 * torch.randn(())
    y = pattern(torch.tensor([14.2, 20.2, 27.3, 33.8]) + strain, torch.full((4,), 0.8),
                torch.tensor([1.0, 2.0, 0.7, 1.4]), torch.tensor([0.2, 0.05])) + 0.02 * torch.randn(80)
    model = Refinement()
    lbfgs = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=4, history_size=6)
    track = []

    def closure():
        lbfgs.zero_grad()
        c = model.chi2(y)
        c.backward()
        return c

    for cycle in range(30):
        track.append(lbfgs.step(closure).item())
    print(f"run {run:2d}: chi2 {track[0]:.3f} -> {track[-1]:.4f}")
