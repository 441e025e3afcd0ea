# gradwatch-corpus: kind=second-backward
# holder: self.table | cache.table | self.cache.table | trainer.cache.table
# first-bad: 1
import torch

from ads import Impressions, PctrConfig, PctrTrainer


def impressions(cfg, catalogue, batch=64):
    w = torch.randn(cfg.request_features, cfg.ad_features) * 0.3
    for _ in range(cfg.steps):
        request = torch.randn(batch, cfg.request_features)
        campaign = torch.randint(0, cfg.campaigns, (batch,))
        score = ((request @ w) * catalogue[campaign]).sum(-1) - 1
        yield Impressions(request, campaign, torch.bernoulli(torch.sigmoid(score)))


def main():
    torch.manual_seed(13)
    cfg = PctrConfig()
    catalogue = torch.randn(cfg.campaigns, cfg.ad_features)
    trainer = PctrTrainer(cfg, catalogue)
    total = 0.0
    for i, batch in enumerate(impressions(cfg, catalogue), start=1):
        total += trainer.step(batch)
        if i % 25 == 0:
            print(f"{i} steps, mean log loss {total / i:.4f}")


if __name__ == "__main__":
    main()
