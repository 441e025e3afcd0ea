# gradwatch-corpus: kind=none
import torch
from torch import nn

from evaluator import Evaluator


class HillNet(nn.Module):
    """Hill curve whose coefficients depend on covariates."""

    def __init__(self, covariates=5):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(covariates, 20), nn.SiLU(), nn.Dropout(0.1), nn.Linear(20, 3))

    def forward(self, x):
        dose, cov = x[:, 0], x[:, 1:]
        emax, ec50, slope = self.net(cov).unbind(-1)
        emax = nn.functional.softplus(emax)
        ec50 = nn.functional.softplus(ec50) + 0.05
        slope = 0.5 + nn.functional.softplus(slope)
        ratio = (dose / ec50).clamp_min(1e-4)
        return emax * torch.sigmoid(slope * ratio.log())


def patients(n, gen):
    cov = torch.randn(n, 5, generator=gen)
    dose = torch.rand(n, 1, generator=gen) * 4 + 0.05
    emax = 1.5 + 0.4 * cov[:, 0]
    ec50 = (0.3 * cov[:, 1]).exp()
    response = emax * dose[:, 0] / (dose[:, 0] + ec50)
    response = response + 0.05 * torch.randn(n, generator=gen)
    return torch.cat([dose, cov], 1), response


def main():
    torch.manual_seed(21)
    gen = torch.Generator().manual_seed(21)
    model = HillNet()
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    panel = [patients(16, gen) for _ in range(4)]
    evaluator = Evaluator(model, panel)
    best = float("inf")
    for step in range(480):
        x, y = patients(48, gen)
        loss = nn.functional.huber_loss(model(x), y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        rmse = evaluator.maybe_run(step)
        if rmse is not None:
            best = min(best, rmse)
            if step % 140 == 0:
                worst = ", ".join(f"{w:.2f}" for w in evaluator.worst())
                print(f"step {step} rmse {rmse:.3f} best {best:.3f} worst [{worst}]")
    print("evaluations:", len(evaluator.curve))


if __name__ == "__main__":
    main()
