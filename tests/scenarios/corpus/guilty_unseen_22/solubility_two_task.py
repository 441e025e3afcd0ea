# gradwatch-corpus: kind=retain-needless
# first-bad: 0
"""Two-task message-passing net on random molecule-like graphs: solubility (regression), toxicity flag (binary).
The share of each task in the trunk's gradient is written out, the reviewers asked for it."""
import torch
from torch import nn
import torch.nn.functional as F


def random_molecules(n, atoms, rng):
    """Dense batch: atom types one-hot (5), symmetric adjacency with rings closed at random."""
    kinds = torch.randint(5, (n, atoms), generator=rng)
    adj = torch.zeros(n, atoms, atoms)
    idx = torch.arange(atoms - 1)
    adj[:, idx, idx + 1] = 1.0
    extra = (torch.rand(n, atoms, atoms, generator=rng) < 0.05).float().triu(2)
    adj = ((adj + extra + (adj + extra).transpose(1, 2)) > 0).float()
    x = F.one_hot(kinds, 5).float()
    polar = (kinds >= 3).float().sum(1)
    degree = adj.sum(-1)
    solubility = 0.4 * polar - 0.2 * (degree * (kinds == 0)).sum(1) + 1.0
    toxic = ((kinds == 4).float() * degree).sum(1) > 5
    return x, adj, solubility / 3, toxic.float()


class MessagePassing(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.own = nn.Linear(width, width)
        self.nbr = nn.Linear(width, width, bias=False)

    def forward(self, h, adj):
        return F.relu(self.own(h) + adj @ self.nbr(h))


class TwoTaskNet(nn.Module):
    def __init__(self, width=32, rounds=3):
        super().__init__()
        self.embed = nn.Linear(5, width)
        self.rounds = nn.ModuleList(MessagePassing(width) for _ in range(rounds))
        self.solubility = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        self.toxicity = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def trunk_parameters(self):
        yield from self.embed.parameters()
        yield from self.rounds.parameters()

    def forward(self, x, adj):
        h = self.embed(x)
        for r in self.rounds:
            h = r(h, adj) * 0.5
        g = h.mean(1)
        return self.solubility(g).squeeze(-1), self.toxicity(g).squeeze(-1)


def trunk_norm(net):
    total = sum(p.grad.pow(2).sum() for p in net.trunk_parameters() if p.grad is not None)
    return float(total) ** 0.5


class TaskBalance:
    def __init__(self):
        self.sol, self.both = 0.0, 0.0

    def note(self, sol, both):
        self.sol = 0.9 * self.sol + 0.1 * sol
        self.both = 0.9 * self.both + 0.1 * both

    def __str__(self):
        return f"|g| solubility {self.sol:.3f}, joint {self.both:.3f}"


def train_step(net, optimizer, batch, balance):
    x, adj, sol, tox = batch
    pred_sol, pred_tox = net(x, adj)
    loss_sol = F.smooth_l1_loss(pred_sol, sol)
    loss_tox = 0.5 * F.binary_cross_entropy_with_logits(pred_tox, tox)

    optimizer.zero_grad()
    loss_sol.backward(retain_graph=True)
    only_sol = trunk_norm(net)
    loss_tox.backward(retain_graph=True)  # <- culprit
    balance.note(only_sol, trunk_norm(net))
    optimizer.step()
    return loss_sol.item(), loss_tox.item()


def main():
    torch.manual_seed(9)
    rng = torch.Generator().manual_seed(10)
    net = TwoTaskNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    balance = TaskBalance()
    for step in range(1, 241):
        sol, tox = train_step(net, optimizer, random_molecules(24, 14, rng), balance)
        if step % 60 == 0:
            print(f"{step:4d} sol {sol:.3f} tox {tox:.3f}  {balance}")


if __name__ == "__main__":
    main()
