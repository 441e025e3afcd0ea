# gradwatch-corpus: kind=second-backward
# holder: adjacency
# first-bad: 1
# Customer churn per bank branch: GCN over branches with a learned similarity graph.
import numpy as np
import torch
import torch.nn as nn

SEED = 90
torch.manual_seed(SEED)
rng = np.random.RandomState(SEED)

N_BRANCHES = 50
N_FEATS = 12
QUARTERS = 80


def branch_profiles():
    return torch.from_numpy(rng.randn(N_BRANCHES, 6).astype("float32"))


def quarter_snapshot(profiles, q):
    feats = torch.from_numpy(rng.randn(N_BRANCHES, N_FEATS).astype("float32"))
    season = np.cos(q / 4 * 2 * np.pi)
    close = torch.softmax(profiles @ profiles.t(), 1)
    churn = 0.05 * season + torch.tanh(close @ feats[:, :1]).squeeze(1) * 0.2
    return feats, churn


class LearnedGraph(nn.Module):
    def __init__(self, d_in, d_key=8, temperature=0.5):
        super().__init__()
        self.key = nn.Linear(d_in, d_key)
        self.query = nn.Linear(d_in, d_key)
        self.temperature = temperature

    def forward(self, profiles):
        scores = self.query(profiles) @ self.key(profiles).t()
        return torch.softmax(scores / self.temperature, dim=1)


class GCN(nn.Module):
    def __init__(self, d_in, d_hidden=24):
        super().__init__()
        self.l1 = nn.Linear(d_in, d_hidden)
        self.l2 = nn.Linear(d_hidden, 1)

    def forward(self, x, adj):
        h = torch.relu(adj @ self.l1(x) + self.l1(x))
        return (adj @ self.l2(h)).squeeze(1)


profiles = branch_profiles()
graph = LearnedGraph(profiles.shape[1])
gcn = GCN(N_FEATS)
params = list(graph.parameters()) + list(gcn.parameters())
optimizer = torch.optim.RMSprop(params, lr=1e-3)

adjacency = graph(profiles)  # <- culprit
sharpness = float(adjacency.max(1).values.mean())
print(f"initial graph sharpness {sharpness:.3f}")

results = {"quarter": [], "mae": []}
for quarter in range(QUARTERS):
    feats, churn = quarter_snapshot(profiles, quarter)
    pred = gcn(feats, adjacency)  # <- culprit
    loss = nn.functional.l1_loss(pred, churn)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    results["quarter"].append(quarter)
    results["mae"].append(loss.item())
    if quarter % 10 == 0:
        print(f"q{quarter:03d} mae={loss.item():.4f}")

print(f"mean mae last year {np.mean(results['mae'][-4:]):.4f}")
