# gradwatch-corpus: kind=graph-chain
# holder: self.smooth | rec.smooth | objective.smooth | self.objective.smooth
# first-bad: 1
# notice: 5
"""Matrix factorisation with biases for implicit movie ratings; the loss is smoothed because batches are noisy."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(31)

N_USERS, N_ITEMS, RANK = 40, 60, 6


def synth_ratings(n=5000):
    U = torch.randn(N_USERS, 3)
    V = torch.randn(N_ITEMS, 3)
    u = torch.randint(0, N_USERS, (n,))
    i = torch.randint(0, N_ITEMS, (n,))
    r = (U[u] * V[i]).sum(1) + 0.2 * torch.randn(n) + 3.0
    return torch.utils.data.TensorDataset(u, i, r.clamp(0.5, 5.0))


class MF(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = nn.Embedding(N_USERS, RANK)
        self.item = nn.Embedding(N_ITEMS, RANK)
        self.user_b = nn.Embedding(N_USERS, 1)
        self.item_b = nn.Embedding(N_ITEMS, 1)
        self.mu = nn.Parameter(torch.tensor(3.0))
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.user_b, self.item_b):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(1)
        return dot + self.user_b(u).squeeze(1) + self.item_b(i).squeeze(1) + self.mu


class SmoothedObjective:
    """Exponentially smoothed training objective."""

    def __init__(self, decay=0.8):
        self.decay = decay
        self.smooth = None

    def __call__(self, model, u, i, r):
        raw = (model(u, i) - r).pow(2).mean()
        if self.smooth is None:
            self.smooth = raw
        else:
            self.smooth = self.decay * self.smooth + (1 - self.decay) * raw  # <- culprit
        return self.smooth, raw.item()


class Recommender:
    def __init__(self):
        self.model = MF()
        self.objective = SmoothedObjective()
        self.opt = torch.optim.Adagrad(self.model.parameters(), lr=0.05, weight_decay=1e-4)

    def fit(self, data, epochs):
        loader = torch.utils.data.DataLoader(data, batch_size=64, shuffle=True)
        for ep in range(epochs):
            mse = 0.0
            for u, i, r in loader:
                self.opt.zero_grad()
                loss, raw = self.objective(self.model, u, i, r)
                loss.backward(retain_graph=True)  # <- culprit
                self.opt.step()
                mse += raw
            print(f"epoch {ep}: objective {loss.item():.4f}  raw {mse / len(loader):.4f}")


Recommender().fit(synth_ratings(), epochs=2)
