# gradwatch-corpus: kind=second-backward
# holder: self.table | catalog.table | self.catalog.table | model.catalog.table | model.ads.table | self.ads.table
# first-bad: 1
import torch

from catalog import AdCatalog
from model import CtrModel
from scheduler import RefreshSchedule
from train import fit


def main():
    torch.manual_seed(9)
    catalog = AdCatalog(n_ads=80, n_attrs=10, dim=16)
    model = CtrModel(catalog, n_user_feats=14, dim=16)
    schedule = RefreshSchedule(period=8)
    fit(model, schedule, steps=96)


if __name__ == "__main__":
    main()
