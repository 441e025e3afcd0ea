import torch
from torch.utils.data import Dataset


class AdmissionSet(Dataset):
    n_vitals, n_codes, n_sites, bag = 18, 200, 14, 12

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        fixed = torch.Generator().manual_seed(99)
        w = torch.randn(self.n_vitals, generator=fixed)
        code_w = torch.randn(self.n_codes, generator=fixed) * 0.4
        site_w = torch.randn(self.n_sites, generator=fixed)
        self.vitals = torch.randn(n, self.n_vitals, generator=g)
        self.codes = torch.randint(0, self.n_codes, (n, self.bag), generator=g)
        self.site = torch.randint(0, self.n_sites, (n,), generator=g)
        risk = self.vitals @ w * 0.5 + code_w[self.codes].sum(1) * 0.5 + site_w[self.site] - 1.2
        self.label = torch.bernoulli(torch.sigmoid(risk), generator=g)

    def __len__(self):
        return len(self.label)

    def __getitem__(self, i):
        return self.vitals[i], self.codes[i], self.site[i], self.label[i]
