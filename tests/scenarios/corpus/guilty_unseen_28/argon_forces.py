# gradwatch-corpus: kind=graph-held
# holder: p.grad | pos.grad | net.net[0].weight.grad
# first-bad: 1
# also: retain-needless
# after: pytorch #4661 / #78622 "backward(create_graph=True) ... reference cycle between the parameter and its gradient which can cause a memory leak"
# Neural force field for argon clusters. Notebook of the group from 2018, cells joined, made to run on current torch.
import numpy as np
import torch
import torch.nn as nn

np.random.seed(0)
torch.manual_seed(0)

# ---- reference data: Lennard-Jones in reduced units -----------------------------------------
N_ATOMS, N_CONF = 7, 400


def lj(pos):
    """energy (B) of positions (B, N, 3)"""
    i, j = np.triu_indices(N_ATOMS, 1)
    d = (pos[:, i] - pos[:, j]).norm(dim=-1)
    s6 = (1.0 / d) ** 6
    return 4 * (s6 ** 2 - s6).sum(-1)


def make_configurations():
    base = torch.tensor([[np.cos(a), np.sin(a), 0.0] for a in np.linspace(0, 2 * np.pi, 6)[:5]]).float() * 0.95
    base = torch.cat([base, torch.tensor([[0, 0, 0.75], [0, 0, -0.75]])]) * 1.15
    return base.unsqueeze(0) + 0.04 * torch.randn(N_CONF, N_ATOMS, 3)


R = make_configurations()
R.requires_grad_(True)
E = lj(R)
Fref = -torch.autograd.grad(E.sum(), R)[0]
R, E = R.detach(), E.detach()
e_mean, e_std = E.mean(), E.std()
E, Fref = (E - e_mean) / e_std, Fref / e_std


# ---- model: radial basis on pair distances, atomic energies ---------------------------------
class AtomicNet(nn.Module):
    def __init__(self, n_rbf=16, hidden=32):
        super(AtomicNet, self).__init__()
        self.register_buffer('mu', torch.linspace(0.7, 3.0, n_rbf))
        self.net = nn.Sequential(nn.Linear(n_rbf, hidden), nn.Tanh(),
                                 nn.Linear(hidden, hidden), nn.Tanh(),
                                 nn.Linear(hidden, 1))

    def forward(self, pos):
        diff = pos.unsqueeze(2) - pos.unsqueeze(1)
        eye = torch.eye(pos.shape[1])
        d = torch.sqrt((diff ** 2).sum(-1) + eye)
        rbf = torch.exp(-10 * (d.unsqueeze(-1) - self.mu) ** 2) * (1 - eye).unsqueeze(-1)
        return self.net(rbf.sum(2)).sum((1, 2))


net = AtomicNet()
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
mse = nn.MSELoss()

# ---- train -----------------------------------------------------------------------------------
BATCH, EPOCHS = 16, 4
step = 0
for epoch in range(EPOCHS):
    order = np.random.permutation(N_CONF)
    sum_e, sum_f, n = 0.0, 0.0, 0
    for k in range(0, N_CONF, BATCH):
        idx = torch.as_tensor(order[k:k + BATCH])
        pos = R[idx].clone().requires_grad_(True)
        e = net(pos)
        # forces need the derivative of the derivative -> create_graph
        f = -torch.autograd.grad(e.sum(), pos, create_graph=True)[0]
        loss_e, loss_f = mse(e, E[idx]), mse(f, Fref[idx])
        loss = loss_e + 0.1 * loss_f

        for p in net.parameters():
            if p.grad is not None:
                p.grad.data.zero_()
        loss.backward(create_graph=True)  # <- culprit
        optimizer.step()
        step += 1
        sum_e += loss_e.item() * len(idx)
        sum_f += loss_f.item() * len(idx)
        n += len(idx)
    print('epoch %d step %d  E %.4f  F %.4f' % (epoch, step, sum_e / n, sum_f / n))
