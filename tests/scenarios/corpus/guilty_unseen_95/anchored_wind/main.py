# gradwatch-corpus: kind=graph-chain
# holder: self.slow | anchor.slow | self.slow[name] | self.anchor.slow | reg.slow
# first-bad: 1
# notice: 5
"""Wind-farm power regression, fine-tuned site by site with a pull towards slow weights."""
import torch
from torch import nn

from anchoring import SlowAnchor
from sites import SiteData

SITES = ["ridge", "coast", "plain"]
ITERS_PER_SITE = 120


def build_net():
    return nn.Sequential(nn.Linear(5, 24), nn.SiLU(), nn.Linear(24, 24), nn.SiLU(), nn.Linear(24, 1))


def validate(net, data):
    net.eval()
    with torch.no_grad():
        x, y = data.holdout()
        err = (net(x) - y).pow(2).mean().sqrt()
    net.train()
    return err.item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(2024)
    net = build_net()
    anchor = SlowAnchor(net, momentum=0.98)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    for site in SITES:
        data = SiteData(site)
        for it in range(ITERS_PER_SITE):
            x, y = data.batch(32)
            fit = nn.functional.mse_loss(net(x), y)
            pull = anchor.penalty(net)
            loss = fit + 0.05 * pull
            opt.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            anchor.advance(net)
            if it % 40 == 0:
                print(f"[{site}] {it:3d} fit={fit.item():.4f} pull={pull.item():.5f}")
        print(f"[{site}] holdout rmse {validate(net, data):.3f}")


if __name__ == "__main__":
    main()
