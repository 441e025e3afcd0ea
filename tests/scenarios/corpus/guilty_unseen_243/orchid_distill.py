# gradwatch-corpus: kind=graph-chain
# holder: self.settled | mixer.settled
# first-bad: 1
"""Distil a panel of orchid experts into one small student; the experts' trust weights are smoothed over time."""
import torch
import torch.nn as nn
import torch.nn.functional as F

RECIPE = {
    "petal_features": 18,
    "species": 7,
    "experts": 4,
    "inertia": 0.9,
    "softness": 2.0,
    "rounds": 140,
}


class Herbarium:
    def __init__(self, recipe):
        self.types = torch.randn(recipe["species"], recipe["petal_features"]) * 1.4
        self.species = recipe["species"]

    def draw(self, count):
        label = torch.randint(0, self.species, (count,))
        petals = self.types[label] + 0.8 * torch.randn(count, self.types.shape[1])
        return petals, label


class ExpertPanel(nn.Module):
    """Frozen experts of unequal quality."""

    def __init__(self, herbarium, experts):
        super().__init__()
        keys = []
        for rank in range(experts):
            keys.append(herbarium.types + 0.7 * rank * torch.randn_like(herbarium.types))
        self.register_buffer("keys", torch.stack(keys))

    @torch.no_grad()
    def opinions(self, petals):
        gap = petals[None, :, None, :] - self.keys[:, None, :, :]
        return -gap.pow(2).mean(-1)


class TrustMixer(nn.Module):
    def __init__(self, experts, inertia):
        super().__init__()
        self.trust = nn.Parameter(torch.zeros(experts))
        self.inertia = inertia
        self.settled = torch.zeros(experts)

    def settle(self):
        self.settled = torch.lerp(self.settled, self.trust, 1.0 - self.inertia)  # <- culprit
        return self.settled

    def forward(self, opinions):
        share = torch.softmax(self.settle(), dim=0)
        return torch.einsum("e,ebs->bs", share, opinions)


class Seedling(nn.Module):
    def __init__(self, recipe):
        super().__init__()
        self.stem = nn.Linear(recipe["petal_features"], 48)
        self.leaf = nn.Linear(48, 48)
        self.bloom = nn.Linear(48, recipe["species"])

    def forward(self, petals):
        sap = F.gelu(self.stem(petals))
        sap = sap + F.gelu(self.leaf(sap))
        return self.bloom(sap)


def kd_gap(student_logits, mixed, softness):
    target = F.log_softmax(mixed * 4.0 / softness, dim=1)
    guess = F.log_softmax(student_logits / softness, dim=1)
    return F.kl_div(guess, target, log_target=True, reduction="batchmean") * softness ** 2


def main():
    torch.manual_seed(5)
    herbarium = Herbarium(RECIPE)
    panel = ExpertPanel(herbarium, RECIPE["experts"])
    mixer = TrustMixer(RECIPE["experts"], RECIPE["inertia"])
    seedling = Seedling(RECIPE)
    gardener = torch.optim.AdamW(
        [
            {"params": seedling.parameters(), "lr": 2e-3},
            {"params": mixer.parameters(), "lr": 2e-2, "weight_decay": 0.0},
        ]
    )
    for season in range(RECIPE["rounds"]):
        petals, label = herbarium.draw(64)
        mixed = mixer(panel.opinions(petals))
        logits = seedling(petals)
        hard = F.cross_entropy(logits, label)
        panel_hard = F.cross_entropy(mixed * 4.0, label)
        objective = 0.5 * hard + kd_gap(logits, mixed, RECIPE["softness"]) + panel_hard
        gardener.zero_grad(set_to_none=True)
        objective.backward()
        gardener.step()
        if season % 35 == 0:
            right = (logits.argmax(1) == label).float().mean().item()
            print(season, round(objective.item(), 4), "acc", round(right, 3))


if __name__ == "__main__":
    main()
