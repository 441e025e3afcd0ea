# gradwatch-corpus: kind=none
# GradNorm (Chen et al. 2018), written from the paper for our soil data:
# pH, moisture and organic carbon from the same near-infrared spectrum.
import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(15)
np.random.seed(15)

N, BANDS, T = 1200, 50, 3
NAMES = ["pH", "moisture", "carbon"]
BATCH = 40
EPOCHS = 4
ALPHA = 1.2


def soil():
    latent = np.random.randn(N, 5)
    X = np.tanh(latent @ np.random.randn(5, BANDS)) + 0.1 * np.random.randn(N, BANDS)
    Y = np.stack([latent[:, 0] + latent[:, 1], 6 * latent[:, 2], 0.3 * latent[:, 3] * latent[:, 4]], 1)
    return torch.tensor(X, dtype=torch.float32), torch.tensor(Y, dtype=torch.float32)


class SoilNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(BANDS, 48), nn.ReLU())
        self.shared = nn.Linear(48, 24)
        self.heads = nn.ModuleList([nn.Linear(24, 1) for _ in range(T)])

    def forward(self, x):
        h = torch.relu(self.shared(self.trunk(x)))
        return torch.cat([head(h) for head in self.heads], 1)


X, Y = soil()
net = SoilNet()
w = nn.Parameter(torch.ones(T))
opt_net = torch.optim.Adam(net.parameters(), lr=2e-3)
opt_w = torch.optim.Adam([w], lr=1e-2)
initial_losses = None
weight_log, loss_log = [], []


def task_losses(x, y):
    return ((net(x) - y) ** 2).mean(0)


def grad_norms(weighted):
    norms = []
    for i in range(T):
        g, = torch.autograd.grad(weighted[i], net.shared.weight, retain_graph=True, create_graph=True)
        norms.append(g.norm())
    return torch.stack(norms)


def train_batch(x, y):
    global initial_losses
    losses = task_losses(x, y)
    if initial_losses is None:
        initial_losses = losses.detach()
    weighted = w * losses
    norms = grad_norms(weighted)
    ratio = losses.detach() / initial_losses
    inverse_rate = ratio / ratio.mean()
    target = (norms.mean() * inverse_rate ** ALPHA).detach()
    gradnorm_loss = (norms - target).abs().sum()
    total = weighted.sum()

    opt_net.zero_grad()
    opt_w.zero_grad()
    total.backward()
    w.grad, = torch.autograd.grad(gradnorm_loss, w)
    opt_net.step()
    opt_w.step()
    with torch.no_grad():
        w.clamp_(min=0.05)
        w.mul_(T / w.sum())
    return losses.detach()


for epoch in range(EPOCHS):
    order = torch.randperm(N)
    epoch_loss = torch.zeros(T)
    for k in range(0, N, BATCH):
        pick = order[k:k + BATCH]
        ls = train_batch(X[pick], Y[pick])
        epoch_loss += ls * len(pick) / N
        loss_log.append(ls)
        weight_log.append(w.data.clone())
    print("epoch", epoch + 1, "  ".join("%s: %.4f (w %.2f)" % (n, l, c) for n, l, c in
                                        zip(NAMES, epoch_loss.tolist(), w.tolist())))

print("weights, first quarter", torch.stack(weight_log[:30]).mean(0).numpy().round(3))
print("weights, last quarter ", torch.stack(weight_log[-30:]).mean(0).numpy().round(3))
