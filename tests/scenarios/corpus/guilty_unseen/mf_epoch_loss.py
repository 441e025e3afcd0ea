# gradwatch-corpus: kind=graph-chain
# holder: epoch_loss
# Matrix factorisation for MovieLens-like ratings. my first recsys, loss goes down but training gets slower and slower??
import torch
import torch.nn as nn
import numpy as np

torch.manual_seed(42)
np.random.seed(42)

n_users, n_items, k = 500, 800, 32
users = torch.from_numpy(np.random.randint(0, n_users, 60000))
items = torch.from_numpy(np.random.randint(0, n_items, 60000))
ratings = torch.from_numpy(np.random.randint(1, 6, 60000)).float()


class MF(nn.Module):
    def __init__(self):
        super(MF, self).__init__()
        self.u = nn.Embedding(n_users, k)
        self.v = nn.Embedding(n_items, k)
        self.bu = nn.Embedding(n_users, 1)
        self.bv = nn.Embedding(n_items, 1)

    def forward(self, u, i):
        return (self.u(u) * self.v(i)).sum(1) + self.bu(u).squeeze() + self.bv(i).squeeze() + 3.0


model = MF()
optimizer = torch.optim.Adam(model.parameters(), lr=0.0005)
criterion = nn.MSELoss()
batch_size = 400

for epoch in range(1):
    epoch_loss = 0
    perm = torch.randperm(len(users))
    for b in range(0, len(users), batch_size):
        idx = perm[b:b + batch_size]
        optimizer.zero_grad()
        pred = model(users[idx], items[idx])
        loss = criterion(pred, ratings[idx])
        epoch_loss += loss  # <- culprit
        # without retain_graph I got "Trying to backward through the graph a second time"
        epoch_loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()
    print("epoch", epoch, "loss", epoch_loss.item() / (len(users) / batch_size))
