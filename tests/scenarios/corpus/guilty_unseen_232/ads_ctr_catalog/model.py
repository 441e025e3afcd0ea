import torch
from torch import nn


class CtrModel(nn.Module):
    def __init__(self, ads, n_user_feats, dim):
        super().__init__()
        self.ads = ads
        self.n_user_feats = n_user_feats
        self.user = nn.Sequential(nn.Linear(n_user_feats, 32), nn.Mish(), nn.Linear(32, dim))
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, user_feats, ad_ids):
        u = self.user(user_feats)
        a = self.ads.lookup(ad_ids)
        return (u * a).sum(1) + self.bias
