# gradwatch-corpus: kind=none
# coding: utf-8
# In[1]
import math
import random
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(0)
random.seed(0)

# In[2] settings
chunk = 6            # days per chunk
chunks_per_update = 4
hidden_size = 12
passes = 8
alpha = 0.1

# In[3] the series: one row per company
series = []
for company in range(3):
    p = 1.0
    row = []
    for day in range(601):
        p = p * (1 + 0.01 * math.sin(day / (10 + 4 * company)) + random.gauss(0, 0.01))
        row.append(math.log(p))
    series.append(row)
data = torch.tensor(series)
returns = (data[:, 1:] - data[:, :-1]) * 50
inputs = returns[:, :-1].unsqueeze(2)
targets = returns[:, 1:].unsqueeze(2)
days = inputs.shape[1]

# In[4] model
cell = nn.LSTMCell(1, hidden_size)
out = nn.Linear(hidden_size, 1)
params = list(cell.parameters()) + list(out.parameters())
optimizer = torch.optim.RMSprop(params, lr=0.003)
mse = nn.MSELoss()

# In[5] state that lives through a whole pass
h = torch.zeros(3, hidden_size)
c = torch.zeros(3, hidden_size)
pending = 0
pending_count = 0
smooth = None
curve = []
updates = 0


def flush():
    """Update with all that is pending; the state goes on without its past."""
    global pending, pending_count, h, c, smooth, updates
    optimizer.zero_grad()
    mean = pending / pending_count
    mean.backward()
    nn.utils.clip_grad_norm_(params, 1.0)
    optimizer.step()
    value = mean.detach()
    smooth = value if smooth is None else (1 - alpha) * smooth + alpha * value
    curve.append(smooth)
    h = h.detach()
    c = c.detach()
    pending = 0
    pending_count = 0
    updates += 1


# In[6] train
for p in range(passes):
    h = torch.zeros(3, hidden_size)
    c = torch.zeros(3, hidden_size)
    for start in range(0, days - chunk + 1, chunk):
        guesses = []
        for d in range(start, start + chunk):
            h, c = cell(inputs[:, d], (h, c))
            guesses.append(out(h))
        guesses = torch.stack(guesses, dim=1)
        pending = pending + mse(guesses, targets[:, start:start + chunk])
        pending_count += 1
        if pending_count == chunks_per_update:
            flush()
    if pending_count > 0:
        flush()
    print("pass", p, "updates", updates, "loss %.4f" % curve[-1].item())

# In[7] forecast of the next days
with torch.no_grad():
    h = torch.zeros(3, hidden_size)
    c = torch.zeros(3, hidden_size)
    for d in range(days):
        h, c = cell(inputs[:, d], (h, c))
    x = out(h)
    forecast = [x]
    for d in range(5):
        h, c = cell(x, (h, c))
        x = out(h)
        forecast.append(x)
print("forecast of company 0:", [round(f[0].item(), 3) for f in forecast])
print("curve", [round(v.item(), 3) for v in curve[::25]])
