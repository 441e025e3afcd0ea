# gradwatch-corpus: kind=none
# Parcel weight class from camera features.  The warehouse PC has little memory, so small
# batches are put together to big ones.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(400)


class Parcels(Dataset):
    def __init__(self, n):
        self.dim = torch.rand(n, 3) * 0.6 + 0.1
        self.colour = torch.randn(n, 5)
        vol = self.dim.prod(1)
        self.cls = torch.bucketize(vol, torch.tensor([0.02, 0.06, 0.12]))

    def __len__(self):
        return len(self.cls)

    def __getitem__(self, i):
        return torch.cat([self.dim[i], self.colour[i]]), self.cls[i]


ACCUM = 4
loader = DataLoader(Parcels(640), batch_size=8, shuffle=True)
model = nn.Sequential(nn.BatchNorm1d(8), nn.Linear(8, 20), nn.ReLU(), nn.Dropout(0.1), nn.Linear(20, 4))
opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=25)
ce = nn.CrossEntropyLoss()

running_loss, train_losses = 0.0, []
for epoch in range(25):
    model.train()
    opt.zero_grad()
    for i, (x, y) in enumerate(loader, 1):
        loss = ce(model(x), y) / ACCUM
        loss.backward()
        running_loss += loss.detach() * ACCUM
        if i % ACCUM == 0:
            opt.step()
            opt.zero_grad()
    sched.step()
    train_losses.append(float(running_loss) / len(loader))
    running_loss = 0.0
    if epoch % 5 == 0:
        print(epoch, f"{train_losses[-1]:.3f}")
