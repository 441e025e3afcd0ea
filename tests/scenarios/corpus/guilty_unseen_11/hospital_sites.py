# gradwatch-corpus: kind=graph-chain
# holder: anchor[name] | anchor | penalty.anchor | proximal.__closure__ | proximal.anchor | anchor["0.weight"]
# first-bad: 1
"""Readmission risk over seven hospitals in turn; a proximal term keeps one site from pulling the model away.

The anchor follows the weights slowly, so that the pull is always towards the recent consensus.
"""
import torch
from torch import nn
import torch.nn.functional as F

SITES = 7
FEATURES = 18


def proximal_term(model, strength=0.5, pace=0.02):
    """Returns a function that gives the penalty and moves the anchor on."""
    anchor = {name: p.detach().clone() for name, p in model.named_parameters()}

    def pull_along():
        for name, p in model.named_parameters():
            anchor[name] = torch.lerp(anchor[name], p, pace)  # <- culprit

    def penalty():
        gap = sum((p - anchor[name]).pow(2).sum() for name, p in model.named_parameters())
        pull_along()
        return 0.5 * strength * gap

    return penalty


def site_patients(site, n, gen):
    """Case mix and labelling habits differ between the sites."""
    own = torch.Generator().manual_seed(1000 + site)
    shift = 0.8 * torch.randn(FEATURES, generator=own)
    habit = 0.4 * torch.randn(1, generator=own)
    x = torch.randn(n, FEATURES, generator=gen) + shift
    score = x[:, 0] - 0.7 * x[:, 1] + 0.5 * x[:, 2] * x[:, 3] + habit
    y = (torch.rand(n, generator=gen) < torch.sigmoid(score)).float()
    return x, y


def rounds(total, gen):
    for r in range(total):
        site = r % SITES
        yield r, site, site_patients(site, 40, gen)


def local_update(model, optimizer, patients, proximal):
    x, y = patients
    risk = model(x).squeeze(1)
    data_loss = F.binary_cross_entropy_with_logits(risk, y)
    loss = data_loss + proximal()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return data_loss.item()


@torch.no_grad()
def brier(model, gen):
    model.eval()
    total = 0.0
    for site in range(SITES):
        x, y = site_patients(site, 100, gen)
        total += (torch.sigmoid(model(x).squeeze(1)) - y).pow(2).mean().item()
    model.train()
    return total / SITES


def main(total=280):
    torch.manual_seed(2)
    gen, test_gen = torch.Generator().manual_seed(13), torch.Generator().manual_seed(14)
    model = nn.Sequential(nn.Linear(FEATURES, 24), nn.SiLU(), nn.Linear(24, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.8)
    proximal = proximal_term(model)
    by_site = [0.0] * SITES
    for r, site, patients in rounds(total, gen):
        by_site[site] = local_update(model, optimizer, patients, proximal)
        if (r + 1) % 70 == 0:
            shown = " ".join(f"{v:.2f}" for v in by_site)
            print(f"round {r + 1}: sites [{shown}]  Brier {brier(model, test_gen):.4f}")


if __name__ == "__main__":
    main()
