# gradwatch-corpus: kind=second-backward
# holder: affinity
# first-bad: 1
"""Estimating plant-pollinator affinities from visit counts of transect walks."""
import argparse

import torch
from torch import nn


class TraitEmbedding(nn.Module):
    def __init__(self, n_plants, n_insects, n_traits):
        super().__init__()
        self.corolla = nn.Parameter(0.3 * torch.randn(n_plants, n_traits))
        self.proboscis = nn.Parameter(0.3 * torch.randn(n_insects, n_traits))
        self.generality = nn.Parameter(torch.zeros(n_insects))

    def affinity(self):
        distance = torch.cdist(self.corolla, self.proboscis)
        score = self.generality - distance
        return torch.softmax(score, dim=0)


class DetectionModel(nn.Module):
    def __init__(self, n_weather):
        super().__init__()
        self.weather = nn.Linear(n_weather, 1)

    def forward(self, weather):
        return torch.nn.functional.softplus(self.weather(weather)).unsqueeze(-1)


class Meadow:
    def __init__(self, n_plants, n_insects):
        self.true_affinity = torch.softmax(2 * torch.randn(n_plants, n_insects), dim=0)
        self.bloom = torch.rand(n_plants) + 0.2

    def walk(self, n_transects):
        weather = torch.randn(n_transects, 3)
        flowers = self.bloom * torch.rand(n_transects, len(self.bloom)) * 20
        activity = torch.nn.functional.softplus(1.0 + weather.sum(dim=1) * 0.3)
        expected = activity[:, None, None] * flowers[:, :, None] * self.true_affinity
        return weather, flowers, torch.poisson(expected)


def poisson_deviance(expected, visits):
    return (expected - visits * torch.log(expected + 1e-6)).mean()


def fit(meadow, traits, detection, args):
    params = list(traits.parameters()) + list(detection.parameters())
    optimizer = torch.optim.Adam(params, lr=args.lr)
    affinity = traits.affinity()  # <- culprit
    for walk in range(args.walks):
        weather, flowers, visits = meadow.walk(args.transects)
        activity = detection(weather)
        expected = activity * flowers.unsqueeze(-1) * affinity  # <- culprit
        deviance = poisson_deviance(expected, visits)
        optimizer.zero_grad()
        deviance.backward()
        optimizer.step()
        if walk % 10 == 0:
            print(f"walk {walk:3d}  deviance {deviance.item():.4f}")
    return affinity.detach()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plants", type=int, default=15)
    parser.add_argument("--insects", type=int, default=40)
    parser.add_argument("--traits", type=int, default=3)
    parser.add_argument("--transects", type=int, default=24)
    parser.add_argument("--walks", type=int, default=100)
    parser.add_argument("--lr", type=float, default=1e-2)
    args = parser.parse_args()

    torch.manual_seed(66)
    meadow = Meadow(args.plants, args.insects)
    traits = TraitEmbedding(args.plants, args.insects, args.traits)
    detection = DetectionModel(3)
    affinity = fit(meadow, traits, detection, args)
    agreement = torch.corrcoef(torch.stack([affinity.flatten(), meadow.true_affinity.flatten()]))[0, 1]
    print(f"correlation with true affinities {agreement:.3f}")


if __name__ == "__main__":
    main()
