# gradwatch-corpus: kind=graph-held
# holder: store[episode] | store | wrapper.cache | once_per_episode.cache | ProtoNet.prototypes.cache | model.prototypes.cache | self.model.prototypes.cache
# first-bad: 1
import functools
import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F

N_WAY, K_SHOT, N_QUERY = 5, 3, 8


def once_per_episode(method):
    """The episode's loss and its report need the same result: compute it once."""
    store = {}

    @functools.wraps(method)
    def wrapper(self, episode, *args):
        if episode not in store:
            store[episode] = method(self, episode, *args)  # <- culprit
        return store[episode]

    wrapper.cache = store
    return wrapper


class ProtoNet(nn.Module):
    def __init__(self, d_in=24, d_emb=16):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(d_in, 64), nn.ReLU(), nn.Linear(64, d_emb))
        self.scale = nn.Parameter(torch.tensor(1.0))

    @once_per_episode  # <- culprit
    def prototypes(self, episode, support):
        emb = self.encoder(support.flatten(0, 1))
        return emb.view(N_WAY, K_SHOT, -1).mean(1)

    def forward(self, episode, support, query):
        protos = self.prototypes(episode, support)
        return -self.scale * torch.cdist(self.encoder(query), protos).pow(2)

    @torch.no_grad()
    def spread(self, episode, support):
        protos = self.prototypes(episode, support)
        return torch.pdist(protos).mean().item()


class EpisodeSampler:
    def __init__(self, n_classes=40, d_in=24, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        self.means = torch.randn(n_classes, d_in, generator=self.gen)
        self.numbers = itertools.count()

    def draw(self):
        pick = torch.randperm(len(self.means), generator=self.gen)[:N_WAY]
        means = self.means[pick]
        noise = torch.randn(N_WAY, K_SHOT + N_QUERY, means.shape[1], generator=self.gen)
        x = means[:, None] + 1.2 * noise
        support, query = x[:, :K_SHOT], x[:, K_SHOT:].flatten(0, 1)
        return next(self.numbers), support, query, torch.arange(N_WAY).repeat_interleave(N_QUERY)


class Learner:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def learn(self, episode, support, query, labels):
        self.optimizer.zero_grad()
        logits = self.model(episode, support, query)
        loss = F.cross_entropy(logits, labels)
        loss.backward()
        self.optimizer.step()
        return {
            "loss": loss.item(),
            "acc": (logits.argmax(1) == labels).float().mean().item(),
            "spread": self.model.spread(episode, support),
        }


def main():
    torch.manual_seed(0)
    sampler = EpisodeSampler()
    learner = Learner(ProtoNet(), lr=2e-3)
    rows = []
    for i in range(120):
        rows.append(learner.learn(*sampler.draw()))
        if (i + 1) % 30 == 0:
            means = {k: sum(r[k] for r in rows[-30:]) / 30 for k in rows[0]}
            print(f"episodes {i + 1}:", "  ".join(f"{k} {v:.3f}" for k, v in means.items()))


if __name__ == "__main__":
    main()
