# gradwatch-corpus: kind=graph-chain
# holder: fitter.theta | self.theta
# first-bad: 1
# notice: 5
"""Bi-exponential diffusion MRI fit (IVIM) where the step size of the fit is learned on held-out b-values."""
import torch

torch.set_num_threads(1)

from ivim import Fitter, signal


def main():
    torch.manual_seed(64)
    b_fit = torch.tensor([0.0, 0.05, 0.2, 0.6, 1.0])
    b_val = torch.tensor([0.1, 0.4, 0.8])
    truth = torch.tensor([-1.2, 2.1, -0.2])
    fitter = Fitter(start=torch.tensor([0.0, 1.0, 0.3]))
    outer = torch.optim.Adam([fitter.log_step], lr=5e-3)

    for k in range(175):
        y_fit = signal(truth, b_fit) + 0.005 * torch.randn(5)
        y_val = signal(truth, b_val) + 0.005 * torch.randn(3)
        fitter.descend(b_fit, y_fit)
        held_out = fitter.misfit(b_val, y_val)
        outer.zero_grad()
        held_out.backward(retain_graph=True)
        outer.step()
        if k % 40 == 0:
            print(f"{k:4d} held-out {held_out.item():.2e} step {fitter.log_step.exp().item():.4f}")


main()
