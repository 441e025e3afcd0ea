# gradwatch-corpus: kind=second-backward
# holder: self.A_hat | model.graph.A_hat
# first-bad: 1
# notice: 0
import torch
torch.set_num_threads(1)
import torch.nn as nn
from models import MetroGCN
from utils import ring_with_shortcuts, ridership, set_seed

set_seed(42)
EPOCHS = 200
edges = ring_with_shortcuts(12, 5)
x, y = ridership(12, edges)

model = MetroGCN(12, edges, x.shape[1], 16)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=5e-4)
criterion = nn.L1Loss()

model.train()
for epoch in range(EPOCHS):
    optimizer.zero_grad()
    out = model(x)
    loss = criterion(out, y)
    loss.backward()
    optimizer.step()
    if epoch % 20 == 0:
        print('Epoch: {:03d}, Loss: {:.5f}'.format(epoch, loss.item()))
