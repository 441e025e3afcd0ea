# gradwatch-corpus: kind=graph-held
# holder: snapshots | snapshots[step]
# first-bad: 1
# coding: utf-8
# exported from notebooks/03_spiral_node.ipynb

# In[1]:
import torch
import torch.nn as nn

torch.manual_seed(3)
DT = 0.1
T = 8
true_A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])

# In[2]:


def rk4(f, y, dt):
    k1 = f(y)
    k2 = f(y + dt / 2 * k1)
    k3 = f(y + dt / 2 * k2)
    k4 = f(y + dt * k3)
    return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def solve(f, y0, n, dt=DT):
    out = [y0]
    for _ in range(n):
        out.append(rk4(f, out[-1], dt))
    return torch.stack(out)


# In[3]:


class Field(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.l1 = nn.Linear(2, hidden)
        self.l2 = nn.Linear(hidden, 2)
        self.nfe = 0

    def forward(self, y):
        self.nfe += 1
        return self.l2(torch.tanh(self.l1(y ** 3)))


def batch(n=12):
    y0 = torch.randn(n, 2)
    with torch.no_grad():
        target = solve(lambda y: (y ** 3) @ true_A, y0.clamp(-1.2, 1.2), T)
    return target[0], target


# In[4]:
field = Field()
opt = torch.optim.RMSprop(field.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, 150, 0.5)

snapshots = {}
losses = []
nfes = []

# In[5]:
for step in range(420):
    y0, target = batch()
    field.nfe = 0
    traj = solve(field, y0, T)
    loss = (traj - target).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()

    losses.append(float(loss))
    nfes.append(field.nfe)
    snapshots[step] = traj[:, 0].clone()  # <- culprit

    if step % 70 == 0:
        print(f"{step:4d}  loss {losses[-1]:.4f}  nfe {nfes[-1]}")

# In[6]:
first = snapshots[0]
last = snapshots[max(snapshots)]
print("end point, first:", first[-1].tolist())
print("end point, last: ", last[-1].tolist())
print("mean last 20:", sum(losses[-20:]) / 20)
