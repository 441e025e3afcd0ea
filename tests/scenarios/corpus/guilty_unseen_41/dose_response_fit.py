# gradwatch-corpus: kind=graph-held
# holder: self.evals | trace.evals
# first-bad: 1
"""Hill curves with plate effects, LBFGS over random blocks of wells."""
import torch
from torch import nn


class HillModel(nn.Module):
    def __init__(self, n_drugs, n_plates):
        super().__init__()
        self.log_ec50 = nn.Parameter(torch.zeros(n_drugs))
        self.log_slope = nn.Parameter(torch.zeros(n_drugs))
        self.top = nn.Parameter(torch.ones(n_drugs))
        self.plate = nn.Parameter(torch.zeros(n_plates))

    def forward(self, drug, plate, log_dose):
        slope = self.log_slope[drug].exp()
        resp = torch.sigmoid(slope * (log_dose - self.log_ec50[drug]))
        return self.top[drug] * resp + self.plate[plate]

    def penalty(self):
        return 1e-2 * self.plate.pow(2).sum() + 1e-3 * self.log_slope.pow(2).sum()


class FitTrace:
    def __init__(self):
        self.evals = []
        self.blocks = 0

    def on_eval(self, value):
        self.evals.append(value)  # <- culprit

    def on_block(self):
        self.blocks += 1

    def tail(self, n=20):
        return sum(v.item() for v in self.evals[-n:]) / n


def simulate(n, n_drugs, n_plates, gen):
    drug = torch.randint(0, n_drugs, (n,), generator=gen)
    plate = torch.randint(0, n_plates, (n,), generator=gen)
    log_dose = 6 * torch.rand(n, generator=gen) - 3
    ec50 = torch.randn(n_drugs, generator=gen)
    shift = 0.1 * torch.randn(n_plates, generator=gen)
    y = torch.sigmoid(1.7 * (log_dose - ec50[drug])) + shift[plate]
    return drug, plate, log_dose, y + 0.03 * torch.randn(n, generator=gen)


def fit(model, wells, trace, blocks=90, block_size=256):
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=4, history_size=6)
    drug, plate, log_dose, y = wells
    for b in range(blocks):
        idx = torch.randint(0, len(y), (block_size,))

        def closure():
            optimizer.zero_grad()
            pred = model(drug[idx], plate[idx], log_dose[idx])
            loss = (pred - y[idx]).pow(2).mean() + model.penalty()
            loss.backward()
            trace.on_eval(loss)  # <- culprit
            return loss

        optimizer.step(closure)
        trace.on_block()
        if trace.blocks % 30 == 0:
            print(f"block {trace.blocks:3d}  evals {len(trace.evals):4d}  objective {trace.tail():.5f}")


def main():
    torch.manual_seed(1)
    gen = torch.Generator().manual_seed(1)
    wells = simulate(3000, n_drugs=12, n_plates=8, gen=gen)
    model = HillModel(12, 8)
    fit(model, wells, FitTrace())
    with torch.no_grad():
        print("ec50:", " ".join(f"{v:.2f}" for v in model.log_ec50[:6].tolist()))


if __name__ == "__main__":
    main()
