# gradwatch-corpus: kind=graph-unused
# first-bad: 0
# after: lukecavabarrett/pna #14 "Fixed memory leak" (autograd left on during testing)
# 1st place? no. baseline v7 -- GIN on random molecules, val after EVERY step because the LB is noisy :)
import random, math
import torch
import torch.nn as nn
import torch.nn.functional as F
random.seed(42); torch.manual_seed(42)

def mol(n_atoms):
    A = torch.zeros(n_atoms, n_atoms)
    for i in range(1, n_atoms):
        j = random.randrange(i); A[i, j] = A[j, i] = 1
    X = F.one_hot(torch.randint(0, 6, (n_atoms,)), 6).float()
    return A, X, (X[:, 2].sum() - X[:, 4].sum()) / math.sqrt(n_atoms)

def collate(ms, N=24):
    A = torch.zeros(len(ms), N, N); X = torch.zeros(len(ms), N, 6); Y = torch.zeros(len(ms))
    for b, (a, x, y) in enumerate(ms):
        n = len(x); A[b, :n, :n] = a; X[b, :n] = x; Y[b] = y
    return A, X, Y

class GIN(nn.Module):
    def __init__(self, d=32):
        super().__init__()
        self.inp = nn.Linear(6, d)
        self.l = nn.ModuleList([nn.Sequential(nn.Linear(d, d), nn.ReLU(), nn.Linear(d, d)) for _ in range(3)])
        self.eps = nn.Parameter(torch.zeros(3)); self.out = nn.Linear(d, 1)
    def forward(self, A, X):
        m = X.sum(-1, keepdim=True)
        h = self.inp(X)
        for k, f in enumerate(self.l):
            h = f((1 + self.eps[k]) * h + A @ h) * m
        return self.out(h.sum(1) / m.sum(1)).squeeze(-1)

train = [mol(random.randint(8, 24)) for _ in range(256)]
valid = collate([mol(random.randint(8, 24)) for _ in range(96)])

net = GIN(); opt = torch.optim.Adam(net.parameters(), 2e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 100)

def evaluate():
    net.eval()
    A, X, Y = valid
    pred = net(A, X)  # <- culprit
    rmse = (pred - Y).square().mean().sqrt().item()
    net.train()
    return rmse

best = 9e9
for it in range(100):
    A, X, Y = collate(random.sample(train, 32))
    loss = F.mse_loss(net(A, X), Y)
    opt.zero_grad(); loss.backward(); opt.step(); sched.step()
    r = evaluate()
    if r < best: best = r
    if it % 20 == 0: print(it, 'train', round(loss.item(), 4), 'val', round(r, 4), 'best', round(best, 4))
