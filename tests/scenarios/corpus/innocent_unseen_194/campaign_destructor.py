# gradwatch-corpus: kind=none
import torch
import torch.nn as nn

torch.manual_seed(21)


class Ledger:
    """Values by campaign; a campaign takes its values with it when it ends."""

    def __init__(self):
        self.rows = {}

    def open(self, name):
        self.rows[name] = []
        return Campaign(self, name)


class Campaign:
    def __init__(self, ledger, name):
        self.ledger = ledger
        self.name = name

    def log(self, value):
        self.ledger.rows[self.name].append(value)

    def mean(self):
        rows = self.ledger.rows[self.name]
        return torch.stack(rows).mean().item() if rows else float("nan")

    def __del__(self):
        self.ledger.rows.pop(self.name, None)


class AssayModel(nn.Module):
    """Four-parameter dose-response curve with a network for its parameters."""

    def __init__(self, n_features=7):
        super().__init__()
        self.params = nn.Sequential(nn.Linear(n_features, 24), nn.Mish(), nn.Linear(24, 4))

    def forward(self, compound, dose):
        bottom, span, ec50, slope = self.params(compound).unsqueeze(1).unbind(-1)
        rise = torch.sigmoid(nn.functional.softplus(slope) * (dose.log() - ec50))
        return bottom + span * rise


def plate(n=24, doses=10):
    compound = torch.randn(n, 7)
    dose = torch.logspace(-2, 2, doses).expand(n, -1)
    ec50 = compound[:, :1] - 0.5 * compound[:, 1:2]
    response = torch.sigmoid(1.2 * (dose.log() - ec50)) * (1 + 0.3 * compound[:, 2:3])
    return compound, dose, response + 0.03 * torch.randn(n, doses)


def run_campaign(model, optimizer, ledger, index):
    campaign = ledger.open(f"C{index:03d}")
    for _ in range(20 + 7 * (index % 5)):
        compound, dose, response = plate()
        fit = model(compound, dose)
        loss = (fit - response).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(model.parameters(), 1.0)
        optimizer.step()
        campaign.log(loss.sqrt())
    return campaign.mean()


def main():
    model = AssayModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    ledger = Ledger()
    for index in range(15):
        rmse = run_campaign(model, optimizer, ledger, index)
        if index % 3 == 2:
            print(f"campaign {index}: rmse {rmse:.4f}, open {sorted(ledger.rows)}")


if __name__ == "__main__":
    main()
