import torch
import torch.nn.functional as F


class Impressions:
    def __init__(self, n_ads, n_feats, seed):
        self.n_ads = n_ads
        self.n_feats = n_feats
        self.gen = torch.Generator().manual_seed(seed)
        self.appeal = torch.randn(n_ads, n_feats, generator=self.gen) * 0.4

    def batch(self, n):
        user = torch.randn(n, self.n_feats, generator=self.gen)
        ad = torch.randint(0, self.n_ads, (n,), generator=self.gen)
        p = torch.sigmoid((self.appeal[ad] * user).sum(1) - 0.5)
        return user, ad, torch.bernoulli(p, generator=self.gen)


def fit(model, schedule, steps):
    source = Impressions(model.ads.n_ads, model.n_user_feats, 5)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    window = []
    for step in range(steps):
        if schedule.due(step):
            model.ads.refresh(step)  # <- culprit
        user, ad, click = source.batch(64)
        loss = F.binary_cross_entropy_with_logits(model(user, ad), click)
        opt.zero_grad()
        loss.backward()
        opt.step()
        window.append(loss.item())
        if len(window) == 16:
            print(f"step {step + 1} logloss {sum(window) / 16:.4f} refreshes {schedule.refreshes}")
            window.clear()
