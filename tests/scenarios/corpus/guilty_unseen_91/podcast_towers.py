# gradwatch-corpus: kind=second-backward
# holder: self._cached | model._cached | tower._cached | self.items._cached | model.items._cached | item_vecs
# first-bad: 31
# notice: 0
# Two-tower podcast recommender. The show tower is pretrained-ish and stays
# frozen for the first epochs, then both towers are tuned together.
import torch
from torch import nn
import torch.nn.functional as F

N_SHOWS, N_TOPICS, N_USERS = 120, 16, 300
FREEZE_STEPS, STEPS, REFRESH = 30, 240, 10


class ShowTower(nn.Module):
    def __init__(self, features, dim):
        super().__init__()
        self.register_buffer("features", features)
        self.net = nn.Sequential(nn.Linear(features.shape[1], 32), nn.ReLU(), nn.Linear(32, dim))
        self._cached = None
        self._age = 0

    def catalogue(self, refresh):
        """All show vectors; encoding the whole catalogue each step is wasteful."""
        if self._cached is None or self._age >= refresh:
            self._cached = F.normalize(self.net(self.features), dim=1)  # <- culprit
            self._age = 0
        self._age += 1
        return self._cached  # <- culprit


class Recommender(nn.Module):
    def __init__(self, features, dim=12):
        super().__init__()
        self.users = nn.Embedding(N_USERS, dim)
        self.items = ShowTower(features, dim)
        self.scale = nn.Parameter(torch.tensor(3.0))

    def forward(self, user_ids, refresh=REFRESH):
        u = F.normalize(self.users(user_ids), dim=1)
        item_vecs = self.items.catalogue(refresh)
        return self.scale * u @ item_vecs.t()


def set_frozen(tower, frozen):
    for p in tower.net.parameters():
        p.requires_grad_(not frozen)
    tower._cached = None


def make_world():
    topics = torch.rand(N_SHOWS, N_TOPICS).pow(3)
    taste = torch.rand(N_USERS, N_TOPICS).pow(3)
    return topics, taste @ topics.t()


def clicks(affinity, n=64):
    users = torch.randint(N_USERS, (n,))
    shows = torch.multinomial(torch.softmax(4 * affinity[users], dim=1), 1).squeeze(1)
    return users, shows


def main():
    torch.manual_seed(21)
    torch.set_num_threads(1)
    topics, affinity = make_world()
    model = Recommender(topics)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    set_frozen(model.items, True)

    for step in range(STEPS):
        if step == FREEZE_STEPS:
            print("unfreezing the show tower")
            set_frozen(model.items, False)
        users, shows = clicks(affinity)
        loss = F.cross_entropy(model(users), shows)
        opt.zero_grad()
        loss.backward()  # <- culprit
        opt.step()
        if step % 20 == 0:
            with torch.no_grad():
                hit = (model(users).topk(10).indices == shows[:, None]).any(1).float().mean()
            print(f"{step:4d} loss {loss.item():.3f} hit@10 {hit:.3f}")


if __name__ == "__main__":
    main()
