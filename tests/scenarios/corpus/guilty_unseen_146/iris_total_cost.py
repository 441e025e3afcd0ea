# gradwatch-corpus: kind=graph-chain
# holder: cost
# first-bad: 1
# notice: 5
import torch
import numpy as np
import torch.nn.functional as F
torch.set_num_threads(1)
np.random.seed(4)
torch.manual_seed(4)

# ---- data (flower measurements made up)
N = 150
lab = np.repeat([0, 1, 2], 50)
feat = np.array([[5.0, 3.4, 1.5, .2], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.5, 2.0]])[lab] + np.random.randn(N, 4) * .3
feat = (feat - feat.mean(0)) / feat.std(0)
X = torch.tensor(feat, dtype=torch.float32)
y = torch.tensor(lab)

# ---- model : plain softmax regression
W = torch.zeros(4, 3, requires_grad=True)
b = torch.zeros(3, requires_grad=True)
opt = torch.optim.SGD([W, b], lr=1e-3)

cost = 0
costs = []
for step in range(200):
    sel = torch.randint(0, N, (15,))
    logits = X[sel] @ W + b
    cost = cost + F.cross_entropy(logits, y[sel])  # <- culprit
    opt.zero_grad()
    cost.backward(retain_graph=True)  # <- culprit
    opt.step()
    costs.append(cost.item() / (step + 1))
    if step % 40 == 0:
        with torch.no_grad():
            acc = ((X @ W + b).argmax(1) == y).float().mean()
        print(step, costs[-1], float(acc))
