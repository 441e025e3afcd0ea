# gradwatch-corpus: kind=graph-held
# holder: self._taste | model._taste | rec._taste
# first-bad: 1
# notice: 8
# %% Bayesian personalised ranking for a small listening log
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
rng = np.random.default_rng(5)
torch.manual_seed(5)

N_USERS, N_TRACKS, K = 40, 120, 8

# %% synthetic listens
latent_u = rng.normal(size=(N_USERS, 3))
latent_t = rng.normal(size=(N_TRACKS, 3))
affinity = latent_u @ latent_t.T
listened = {u: np.argsort(-affinity[u])[:15] for u in range(N_USERS)}
skipped = {u: np.argsort(-affinity[u])[60:] for u in range(N_USERS)}


# %% model
class TasteModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.tracks = nn.Embedding(N_TRACKS, K)
        self.pool = nn.Linear(K, K)
        self.bias = nn.Parameter(torch.zeros(N_TRACKS))
        self._taste = {}

    def taste(self, user, history):
        """User vector from the tracks in `history`, computed once for every history."""
        key = (user, tuple(history))
        if key not in self._taste:
            pooled = self.tracks(torch.as_tensor(history)).mean(0)
            self._taste[key] = torch.tanh(self.pool(pooled))  # <- culprit
        return self._taste[key]

    def score(self, user, history, items):
        v = self.taste(user, history)
        return self.tracks(items) @ v + self.bias[items]


rec = TasteModel()
opt = torch.optim.Adagrad(rec.parameters(), lr=0.05)


def triple():
    u = int(rng.integers(N_USERS))
    heard = rng.permutation(listened[u])
    hist, pos = heard[:7].tolist(), torch.as_tensor(heard[7:].copy())
    neg = torch.as_tensor(rng.choice(skipped[u], size=len(pos)))
    return u, hist, pos, neg


# %% training
wins = 0.0
for it in range(500):
    u, hist, pos, neg = triple()
    up, down = rec.score(u, hist, pos), rec.score(u, hist, neg)
    objective = -F.logsigmoid(up - down).mean() + 1e-4 * rec.tracks.weight.pow(2).sum()
    opt.zero_grad()
    objective.backward()
    opt.step()
    wins = 0.98 * wins + 0.02 * (up > down).float().mean().item()
    if it % 100 == 99:
        print(f"{it + 1:4d}  loss {objective.item():.3f}  pairwise acc {wins:.3f}")
