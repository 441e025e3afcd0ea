# gradwatch-corpus: kind=graph-chain
# holder: running_loss
# first-bad: 1
# In[1]:
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import Dataset, DataLoader

# In[2]:
torch.manual_seed(42)


class HousingDataset(Dataset):
    def __init__(self, n=800):
        self.sqm = torch.rand(n) * 150 + 30
        self.rooms = torch.randint(1, 6, (n,)).float()
        self.age = torch.rand(n) * 60
        self.dist = torch.rand(n) * 20
        price = 3.0 * self.sqm + 12 * self.rooms - 1.1 * self.age - 4 * self.dist
        self.price = price + 10 * torch.randn(n)
        self.X = torch.stack([self.sqm, self.rooms, self.age, self.dist], dim=1)
        self.X = (self.X - self.X.mean(0)) / self.X.std(0)
        self.y = ((self.price - self.price.mean()) / self.price.std()).unsqueeze(1)

    def __len__(self):
        return len(self.X)

    def __getitem__(self, i):
        return self.X[i], self.y[i]


# In[3]:
ds = HousingDataset()
train_loader = DataLoader(ds, batch_size=40, shuffle=True)
len(ds), len(train_loader)

# In[4]:
model = nn.Linear(4, 1)
criterion = nn.MSELoss()
optimizer = optim.SGD(model.parameters(), lr=1e-3)

# In[5]:
x, y = next(iter(train_loader))
print(x.shape, y.shape)

# In[6]:
epochs = 22
running_loss = 0
steps = 0
train_curve = []
for e in range(epochs):
    for x, y in train_loader:
        steps += 1
        optimizer.zero_grad()
        out = model(x)
        loss = criterion(out, y)
        running_loss += loss  # <- culprit
        mean_loss = running_loss / steps
        mean_loss.backward(retain_graph=True)
        optimizer.step()
    train_curve.append(mean_loss.item())
    print("Epoch: {}/{}..".format(e + 1, epochs),
          "Training Loss: {:.4f}".format(mean_loss.item()))

# In[7]:
with torch.no_grad():
    out = model(ds.X)
    ss_res = ((out - ds.y) ** 2).sum()
    ss_tot = ((ds.y - ds.y.mean()) ** 2).sum()
    print("R2", (1 - ss_res / ss_tot).item())

# In[8]:
for n, p in model.named_parameters():
    print(n, p.data)
