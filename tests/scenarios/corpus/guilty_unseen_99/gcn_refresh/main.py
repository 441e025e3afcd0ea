# gradwatch-corpus: kind=second-backward
# holder: self._table | encoder._table | self.encoder._table | model.encoder._table
# first-bad: 121
# notice: 0
"""LightGCN-style recommender.  Propagation is the expensive part, so it is done less often later."""
import torch

from model import GraphRecommender
from schedule import RefreshSchedule
from toy_graph import build_graph, triplets

SEED = 41


def run(n_iter=200):
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    edges, adj = build_graph(n_users=60, n_items=90, per_user=8)
    model = GraphRecommender(adj, n_users=60, dim=16, layers=2)
    schedule = RefreshSchedule(early=1, late=4, switch=120)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)

    for it in range(n_iter):
        if schedule.due(it):
            model.encoder.expire()
        u, i, j = triplets(edges, n_items=90, batch=48)
        loss = model.bpr(u, i, j) + 1e-4 * model.penalty(u, i, j)

        opt.zero_grad()
        loss.backward()  # <- culprit
        opt.step()
        if it % 30 == 0:
            print(f"iter {it:3d}  bpr {loss.item():.4f}  refreshes {model.encoder.n_refresh}")


if __name__ == "__main__":
    run()
