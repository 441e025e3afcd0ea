# gradwatch-corpus: kind=graph-held
# holder: p.grad | w.grad | local.parameters()[i].grad | self.local.coef.grad | site.local.coef.grad
# first-bad: 1
# notice: 8
"""Federated risk models for hospital sites, with curvature-weighted averaging."""
import torch

torch.set_num_threads(1)

from server import Server
from site_sim import HospitalSite

if __name__ == "__main__":
    torch.manual_seed(77)
    true_w = torch.randn(9)
    sites = [HospitalSite(i, 48, true_w + 0.2 * torch.randn(9)) for i in range(4)]
    server = Server(n_features=9)
    for rnd in range(80):
        reports = [s.local_round(server.model) for s in sites]
        server.merge(reports)
        if rnd % 16 == 0:
            print("round", rnd, "site loss", sum(r["loss"] for r in reports) / len(reports))
