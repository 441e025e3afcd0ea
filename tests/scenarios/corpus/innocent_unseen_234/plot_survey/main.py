# gradwatch-corpus: kind=none
"""Hierarchical abundance model, gradients summed over the plots of a region."""
import torch

from abundance import AbundanceModel
from survey import Survey


def fit_region(model, opt, region, history):
    opt.zero_grad()
    region_nll = torch.zeros(())
    for plot in region:
        nll = model.nll(plot) / len(region)
        nll.backward()
        region_nll += nll.detach()
    penalty = 0.05 * model.penalty()
    penalty.backward()
    opt.step()
    history.setdefault("nll", []).append(region_nll)
    history.setdefault("penalty", []).append(penalty.detach())


def main():
    torch.manual_seed(33)
    survey = Survey(n_regions=6, plots_per_region=5, seed=10)
    model = AbundanceModel(n_species=8, n_covariates=3)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.15)
    summary = []
    for season in range(20):
        history = {}
        for region in survey.regions():
            fit_region(model, opt, region, history)
        summary.append({k: torch.stack(v).mean().item() for k, v in history.items()})
        if season % 5 == 0:
            print(season, summary[-1])
    change = abs(summary[-1]["nll"] - summary[-2]["nll"])
    print("last change", f"{change:.2e}")


if __name__ == "__main__":
    main()
