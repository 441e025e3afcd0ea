# gradwatch-corpus: kind=graph-held
# holder: self.running_mean | self.running_var | model.norm.running_mean | model.norm.running_var
# first-bad: 1
# notice: 8
"""I wanted to understand batch norm so I wrote my own one. wine-like data, 13 features 3 classes."""
import torch
from torch import nn
torch.set_num_threads(1)
torch.manual_seed(11)


class MyBatchNorm1d(nn.Module):
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.gamma = nn.Parameter(torch.ones(dim))
        self.beta = nn.Parameter(torch.zeros(dim))
        self.register_buffer('running_mean', torch.zeros(dim))
        self.register_buffer('running_var', torch.ones(dim))

    def forward(self, x):
        if self.training:
            mean = x.mean(0)
            var = ((x - mean) ** 2).mean(0)
            self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * mean  # <- culprit
            self.running_var = (1 - self.momentum) * self.running_var + self.momentum * var  # <- culprit
        else:
            mean, var = self.running_mean, self.running_var
        return (x - mean) / torch.sqrt(var + self.eps) * self.gamma + self.beta


class WineNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(13, 20)
        self.norm = MyBatchNorm1d(20)
        self.fc2 = nn.Linear(20, 3)

    def forward(self, x):
        return self.fc2(torch.relu(self.norm(self.fc1(x))))


mu = torch.randn(3, 13)
Y = torch.randint(0, 3, (180,))
X = mu[Y] + 0.9 * torch.randn(180, 13)
Xtr, Ytr, Xte, Yte = X[:140], Y[:140], X[140:], Y[140:]

model = WineNet()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
loss_fn = nn.CrossEntropyLoss()

for epoch in range(40):
    model.train()
    perm = torch.randperm(len(Xtr))
    for k in range(0, len(Xtr), 20):
        ii = perm[k:k + 20]
        loss = loss_fn(model(Xtr[ii]), Ytr[ii])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        acc = (model(Xte).argmax(1) == Yte).float().mean().item()
    if epoch % 10 == 0:
        print(f"epoch {epoch:3d} loss {loss.item():.4f} test acc {acc:.3f}")
