# gradwatch-corpus: kind=second-backward
# holder: self._memo | campaigns._memo | self.campaigns._memo | model.campaigns._memo | self._memo[campaign_id] | encoder._memo
# also: graph-held
# first-bad: 12
"""CTR model behind the bidder: a campaign tower over creative text and a user tower, 2-seed blend with weight
EMA. Auctions come grouped by campaign, so one tower pass serves the batch."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

SEEDS, STEPS, BS = (1, 2), 150, 128
N_CAMPAIGNS, VOCAB, WORDS, USER_F = 90, 400, 12, 20


class World:
    """Synthetic logs."""

    def __init__(self, seed=100):
        g = torch.Generator().manual_seed(seed)
        self.g = g
        self.text = torch.randint(0, VOCAB, (N_CAMPAIGNS, WORDS), generator=g)
        self.taste = torch.randn(N_CAMPAIGNS, USER_F, generator=g) / 3

    def auctions(self, campaign_id, n):
        user = torch.randn(n, USER_F, generator=self.g)
        p = torch.sigmoid(user @ self.taste[campaign_id] - 1.0)
        return user, (torch.rand(n, generator=self.g) < p).float()


class CampaignTower(nn.Module):
    def __init__(self, text, dim=24):
        super().__init__()
        self.register_buffer("text", text)
        self.words = nn.EmbeddingBag(VOCAB, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, dim))
        self._memo = {}

    def forward(self, campaign_id):
        """Creatives do not change within a run, so each campaign is encoded once."""
        vec = self._memo.get(campaign_id)
        if vec is None:
            vec = self.mlp(self.words(self.text[campaign_id:campaign_id + 1]))  # <- culprit
            self._memo[campaign_id] = vec  # <- culprit
        return vec


class TwoTower(nn.Module):
    def __init__(self, text, dim=24):
        super().__init__()
        self.campaigns = CampaignTower(text, dim)
        self.users = nn.Sequential(nn.Linear(USER_F, 48), nn.ReLU(), nn.Linear(48, dim))
        self.bias = nn.Parameter(torch.tensor(-1.0))

    def forward(self, campaign_id, user):
        return (self.users(user) * self.campaigns(campaign_id)).sum(1) + self.bias


class EMA:
    def __init__(self, model, decay=0.98):
        self.decay = decay
        self.shadow = {k: v.detach().clone() for k, v in model.named_parameters()}

    @torch.no_grad()
    def update(self, model):
        for k, v in model.named_parameters():
            self.shadow[k].lerp_(v, 1 - self.decay)


def campaign_sampler(rng):
    """Budget-weighted: big spenders show up more."""
    weights = [1.0 / (1 + 0.05 * i) for i in range(N_CAMPAIGNS)]
    while True:
        yield rng.choices(range(N_CAMPAIGNS), weights)[0]


def train(seed, world):
    torch.manual_seed(seed)
    model = TwoTower(world.text)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    ema = EMA(model)
    stream = campaign_sampler(random.Random(seed))
    running = 0.0
    for step in range(STEPS):
        cid = next(stream)
        user, click = world.auctions(cid, BS)
        loss = F.binary_cross_entropy_with_logits(model(cid, user), click)
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(model)
        running += loss.item()
        if step % 50 == 49:
            print(f"seed {seed} step {step + 1}: logloss {running / 50:.4f}")
            running = 0.0
    return ema.shadow


def main():
    world = World()
    shadows = [train(s, world) for s in SEEDS]
    blend = {k: sum(s[k] for s in shadows) / len(shadows) for k in shadows[0]}
    print("blended", sum(v.numel() for v in blend.values()), "weights")


if __name__ == "__main__":
    main()
