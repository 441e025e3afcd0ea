# gradwatch-corpus: kind=second-backward
# holder: self.lookup | self.encoder.lookup | agent.player.encoder.lookup | deck_vec | self.encoder
# first-bad: 7
# notice: 0
"""REINFORCE for a small collectible card game: pick the next card given both decks."""
import functools
import random

import torch
from torch import nn
from torch.distributions import Categorical

N_CARDS = 40
DECK = 10
CARD_FEATS = 6


class Catalogue:
    """Static card attributes and a fixed set of named decks."""

    def __init__(self, n_decks, seed=4):
        g = torch.Generator().manual_seed(seed)
        self.feats = torch.rand(N_CARDS, CARD_FEATS, generator=g)
        self.power = self.feats[:, 0] + 0.5 * self.feats[:, 1] - 0.3 * self.feats[:, 2]
        rng = random.Random(seed)
        self.decks = {f"deck-{i:03d}": tuple(sorted(rng.sample(range(N_CARDS), DECK))) for i in range(n_decks)}
        self.names = list(self.decks)


class DeckEncoder(nn.Module):
    def __init__(self, catalogue, dim=16):
        super().__init__()
        self.catalogue = catalogue
        self.phi = nn.Sequential(nn.Linear(CARD_FEATS, dim), nn.Tanh(), nn.Linear(dim, dim))
        self.rho = nn.Linear(dim, dim)
        self.lookup = functools.lru_cache(maxsize=512)(self.encode_deck)  # <- culprit

    def encode_deck(self, name):
        cards = self.catalogue.feats[list(self.catalogue.decks[name])]
        pooled = self.phi(cards).mean(0)
        return torch.tanh(self.rho(pooled))

    def forward(self, names):
        return torch.stack([self.lookup(n) for n in names])  # <- culprit


class Player(nn.Module):
    def __init__(self, catalogue, dim=16):
        super().__init__()
        self.encoder = DeckEncoder(catalogue, dim)
        self.card = nn.Linear(CARD_FEATS, dim)
        self.mix = nn.Bilinear(dim, dim, dim)

    def forward(self, mine, theirs, hand_feats):
        deck_vec = self.encoder(mine)
        context = torch.relu(self.mix(deck_vec, self.encoder(theirs)))
        return torch.einsum("bd,bhd->bh", context, self.card(hand_feats))


class Table:
    """Deals matches; the reward is the margin over the opponent's average card."""

    def __init__(self, catalogue, seed=9):
        self.catalogue = catalogue
        self.rng = random.Random(seed)

    def deal(self, n):
        mine = self.rng.choices(self.catalogue.names, k=n)
        theirs = self.rng.choices(self.catalogue.names, k=n)
        hands = torch.tensor([self.rng.sample(self.catalogue.decks[d], 4) for d in mine])
        return mine, theirs, hands

    def payoff(self, theirs, hands, choice):
        played = self.catalogue.power[hands.gather(1, choice[:, None]).squeeze(1)]
        foe = torch.stack([self.catalogue.power[list(self.catalogue.decks[d])].mean() for d in theirs])
        return played - foe


class Reinforce:
    def __init__(self, player, table, lr=5e-3, entropy=0.01):
        self.player = player
        self.table = table
        self.entropy = entropy
        self.baseline = 0.0
        self.opt = torch.optim.RMSprop(player.parameters(), lr=lr)

    def update(self, n_matches):
        mine, theirs, hands = self.table.deal(n_matches)
        logits = self.player(mine, theirs, self.table.catalogue.feats[hands])
        dist = Categorical(logits=logits)
        choice = dist.sample()
        reward = self.table.payoff(theirs, hands, choice)
        advantage = reward - self.baseline
        self.baseline = 0.9 * self.baseline + 0.1 * reward.mean().item()

        loss = -(dist.log_prob(choice) * advantage).mean() - self.entropy * dist.entropy().mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return reward.mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(12)
    catalogue = Catalogue(n_decks=1500)
    agent = Reinforce(Player(catalogue), Table(catalogue))
    for it in range(80):
        mean_reward = agent.update(n_matches=3)
        if it % 10 == 0:
            info = agent.player.encoder.lookup.cache_info()
            print(f"update {it}: reward {mean_reward:+.3f} cache {info.hits}/{info.hits + info.misses}")


if __name__ == "__main__":
    main()
