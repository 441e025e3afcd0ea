# gradwatch-corpus: kind=graph-held
# holder: epoch_sum
# first-bad: 1
# notice: 8
# exported from shapes.ipynb

# In[1]
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(0)

# In[2]: discs and squares, to be segmented
def draw(n, side=16):
    g = torch.Generator().manual_seed(n)
    ax = torch.linspace(-1, 1, side)
    yy, xx = torch.meshgrid(ax, ax, indexing="ij")
    c = torch.rand(n, 2, 1, 1, generator=g) - 0.5
    r = 0.25 + 0.25 * torch.rand(n, 1, 1, generator=g)
    dy, dx = (yy - c[:, 0]).abs(), (xx - c[:, 1]).abs()
    disc = (dy ** 2 + dx ** 2).sqrt() < r
    square = torch.maximum(dy, dx) < r
    pick = torch.rand(n, 1, 1, generator=g) < 0.5
    mask = torch.where(pick, disc, square).float()
    img = mask * 0.7 + 0.3 * torch.randn(n, side, side, generator=g)
    return img.unsqueeze(1), mask.unsqueeze(1)

train = DataLoader(TensorDataset(*draw(240)), batch_size=16, shuffle=True)
valid = draw(64)

# In[3]
class TinyUNet(nn.Module):
    def __init__(self, w=8):
        super().__init__()
        self.d1 = nn.Conv2d(1, w, 3, padding=1)
        self.d2 = nn.Conv2d(w, 2 * w, 3, padding=1)
        self.u1 = nn.Conv2d(3 * w, w, 3, padding=1)
        self.out = nn.Conv2d(w, 1, 1)

    def forward(self, x):
        a = F.relu(self.d1(x))
        b = F.relu(self.d2(F.max_pool2d(a, 2)))
        b = F.interpolate(b, scale_factor=2)
        return self.out(F.relu(self.u1(torch.cat([a, b], 1))))

def dice(logits, mask):
    p = logits.sigmoid()
    return 1 - (2 * (p * mask).sum() + 1) / (p.sum() + mask.sum() + 1)

net = TinyUNet()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)

# In[4]
def show(pair, width=16):
    """Rough picture in the terminal: truth on the left, prediction on the right."""
    logits, mask = pair
    left, right = mask[0, 0] > 0.5, logits[0, 0] > 0
    for row in range(0, width, 4):
        print("".join(" #"[int(v)] for v in left[row]), "|",
              "".join(" #"[int(v)] for v in right[row]))

@torch.no_grad()
def validation_dice():
    return dice(net(valid[0]), valid[1]).item()

# In[5]
EPOCHS = 16
best_batch = torch.tensor(math.inf)
last = {}
curve = []
for epoch in range(EPOCHS):
    epoch_sum = 0
    for step, (img, mask) in enumerate(train):
        logits = net(img)
        loss = F.binary_cross_entropy_with_logits(logits, mask) + dice(logits, mask)
        opt.zero_grad()
        loss.backward()
        opt.step()
        epoch_sum = epoch_sum + loss  # <- culprit
        if loss < best_batch:
            best_batch = loss
        last["pair"] = (logits, mask)
    curve.append((epoch_sum / len(train)).item())
    if epoch % 4 == 3:
        print(f"epoch {epoch} train {curve[-1]:.3f} valid dice {validation_dice():.3f}")
        show(last["pair"])

# In[6]
print("best batch", round(best_batch.item(), 4))
for e, c in enumerate(curve):
    print(f"{e:2d} " + "*" * int(40 * c / curve[0]))
