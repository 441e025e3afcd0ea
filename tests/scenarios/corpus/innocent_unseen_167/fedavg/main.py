# gradwatch-corpus: kind=none
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

from clients import LocalUpdate, dirichlet_split
from server import Server

torch.set_num_threads(1)
torch.manual_seed(10)


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = nn.Linear(12, 32), nn.Linear(32, 5)

    def forward(self, x):
        return self.out(F.dropout(F.relu(self.hidden(x)), 0.1, self.training))


def main(rounds=12, frac=0.5, num_users=8):
    y = torch.randint(0, 5, (800,))
    x = torch.randn(5, 12)[y] * 1.5 + torch.randn(800, 12)
    server = Server(MLP(), momentum=0.5)
    users = [LocalUpdate(x[:640][idx], y[:640][idx], prox_mu=0.01) for idx in dirichlet_split(y[:640], num_users)]
    loss_train, best, patience = [], (0.0, None), 0
    for rnd in range(rounds):
        chosen = torch.randperm(num_users)[:int(frac * num_users)].tolist()
        deltas, sizes, local_losses = [], [], []
        for u in chosen:
            delta, loss = users[u].train(copy.deepcopy(server.model))
            deltas.append(delta)
            sizes.append(len(users[u]))
            local_losses.append(loss)
        server.aggregate(deltas, sizes)
        loss_train.append(sum(local_losses) / len(local_losses))
        acc = server.evaluate(x[640:], y[640:])
        if acc > best[0]:
            best, patience = (acc, copy.deepcopy(server.model.state_dict())), 0
        else:
            patience += 1
        print(f"round {rnd} loss {loss_train[-1]:.3f} acc {acc:.3f}")
        if patience >= 10:
            break
    server.model.load_state_dict(best[1])
    # One last phase of FedSGD: the losses of all clients are summed before a single backward.
    opt = torch.optim.SGD(server.model.parameters(), lr=0.05)
    for _ in range(30):
        total = [user.loss(server.model) * len(user) for user in users]
        opt.zero_grad()
        (sum(total) / sum(len(u) for u in users)).backward()
        opt.step()
    print(f"best {best[0]:.3f} after fedsgd {server.evaluate(x[640:], y[640:]):.3f}")


if __name__ == "__main__":
    main()
