# gradwatch-corpus: kind=none
# multi-task homework: the loss of several small batches is summed before one update
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(64)

TASKS = ["parity", "sum", "max"]
ACCUM = 4


def sample(task, n=16):
    x = torch.randint(0, 2, (n, 8)).float()
    if task == "parity":
        y = x[:, :3].sum(1) % 2
    elif task == "sum":
        y = x.sum(1) / 8
    else:
        y = (x * torch.arange(8)).max(1).values / 8
    return x, y.unsqueeze(1)


class MTL(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 40), nn.ReLU(), nn.Linear(40, 40), nn.ReLU())
        self.heads = nn.ModuleDict({t: nn.Linear(40, 1) for t in TASKS})
        self.log_vars = nn.ParameterDict({t: nn.Parameter(torch.zeros(())) for t in TASKS})

    def forward(self, x, task):
        return self.heads[task](self.trunk(x))


model = MTL()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)

total_loss = 0
pending = []
task_losses = {t: [] for t in TASKS}
updates = 0

for it in range(1200):
    task = TASKS[it % len(TASKS)]
    x, y = sample(task)
    out = model(x, task)
    mse = F.mse_loss(out, y)
    s = model.log_vars[task]
    loss = torch.exp(-s) * mse + s
    total_loss = total_loss + loss
    pending.append((task, mse))

    if (it + 1) % ACCUM == 0:
        opt.zero_grad()
        (total_loss / ACCUM).backward()
        opt.step()
        updates += 1
        for t, m in pending:
            task_losses[t].append(m.item())
        pending = []
        total_loss = 0

    if (it + 1) % 240 == 0:
        print(it + 1, updates, {t: round(sum(v[-20:]) / len(v[-20:]), 4) for t, v in task_losses.items()})

print("weights", {t: round(torch.exp(-v).item(), 3) for t, v in model.log_vars.items()})
