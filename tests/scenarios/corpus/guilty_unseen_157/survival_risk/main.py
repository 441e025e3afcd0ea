# gradwatch-corpus: kind=graph-held
# holder: ledger.by_patient | self.by_patient | ledger
# first-bad: 1
"""Discrete-time survival model; patients that stay hard to fit are drawn more often."""
import torch
from torch import nn

from cohort import make_cohort
from ledger import DifficultyLedger

torch.set_num_threads(1)
torch.manual_seed(5)


class HazardNet(nn.Module):
    def __init__(self, n_feat, bins):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_feat, 40), nn.GELU(), nn.Linear(40, 40), nn.GELU(),
                                 nn.Linear(40, bins))

    def forward(self, x):
        return self.net(x)


def survival_nll(logits, time, event):
    bins = torch.arange(logits.shape[1])
    at_risk = (bins[None] <= time[:, None]).float()
    target = ((bins[None] == time[:, None]) & event[:, None].bool()).float()
    bce = nn.functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
    return (bce * at_risk).sum(1)


def main(steps=110, batch=8):
    cohort = make_cohort(64)
    model = HazardNet(cohort[0].covariates.numel(), bins=10)
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    ledger = DifficultyLedger()
    rng = torch.Generator().manual_seed(3)
    for step in range(steps):
        weights = ledger.weights(cohort)
        picked = torch.multinomial(weights, batch, replacement=False, generator=rng).tolist()
        patients = [cohort[i] for i in picked]
        x = torch.stack([p.covariates for p in patients])
        time = torch.tensor([p.time for p in patients])
        event = torch.tensor([p.event for p in patients])
        per_patient = survival_nll(model(x), time, event)
        ledger.note(patients, per_patient)  # <- culprit
        loss = per_patient.mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 22 == 0:
            print(f"step {step:3d}  nll {loss.item():.4f}  hardest {ledger.hardest().name}")


if __name__ == "__main__":
    main()
