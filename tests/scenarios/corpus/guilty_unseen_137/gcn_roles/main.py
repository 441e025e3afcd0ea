# gradwatch-corpus: kind=second-backward
# holder: self.where | model.where | graph_model.where
# first-bad: 1
# notice: 0
"""Node roles in an e-mail network."""
import torch

torch.set_num_threads(1)
import torch.nn.functional as F

from layers import RoleNet
from network import email_network


def epoch(model, opt, feats, roles, mask):
    model.train()
    opt.zero_grad()
    out = model(feats)
    loss = F.nll_loss(out[mask], roles[mask])
    loss.backward()
    opt.step()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(44)
    adj, feats, roles = email_network(36)
    mask = torch.rand(36) < 0.5
    graph_model = RoleNet(adj, feats.shape[1], 4, 3)
    opt = torch.optim.Adam(graph_model.parameters(), lr=0.01, weight_decay=5e-4)
    for e in range(200):
        l = epoch(graph_model, opt, feats, roles, mask)
        if e % 40 == 0:
            print(e, round(l, 4))
