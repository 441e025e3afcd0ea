# gradwatch-corpus: kind=graph-held
# holder: total_loss
# first-bad: 1
# notice: 8

# bike rental demand, my first pytorch project (ported from my sklearn notebook)
# question: why does my RAM go up when I train longer?? dataset is only 2000 rows
import torch
import torch.nn as nn
import torch.nn.functional as F
import numpy as np
import random

torch.set_num_threads(1)
torch.manual_seed(42)
np.random.seed(42)
random.seed(42)

# ----------------- cell 1: data (I dont have the csv here so I make one up)
N = 2000
hour = np.random.randint(0, 24, N)
temp = np.random.normal(15, 8, N)
wind = np.abs(np.random.normal(10, 5, N))
holiday = (np.random.rand(N) < 0.1).astype(float)
weekday = np.random.randint(0, 7, N)

cnt = 120 + 80 * np.exp(-((hour - 8) ** 2) / 6.0) + 100 * np.exp(-((hour - 18) ** 2) / 8.0)
cnt = cnt + 4 * temp - 2 * wind - 40 * holiday + np.random.normal(0, 15, N)

X = np.stack([np.sin(hour / 24 * 2 * np.pi), np.cos(hour / 24 * 2 * np.pi),
              (temp - 15) / 8, (wind - 10) / 5, holiday, weekday / 6.0], axis=1)
X = torch.tensor(X, dtype=torch.float32)
y = torch.tensor((cnt - cnt.mean()) / cnt.std(), dtype=torch.float32).unsqueeze(1)

X_train, X_test = X[:1600], X[1600:]
y_train, y_test = y[:1600], y[1600:]

# ----------------- cell 2: model


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 48)
        self.fc2 = nn.Linear(48, 48)
        self.fc3 = nn.Linear(48, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = self.drop(x)
        x = F.relu(self.fc2(x))
        return self.fc3(x)


model = Net()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.003)

# ----------------- cell 3: train
BATCH = 64
EPOCHS = 12
total_loss = 0
seen = 0

for epoch in range(EPOCHS):
    model.train()
    perm = torch.randperm(len(X_train))
    for b in range(0, len(X_train), BATCH):
        idx = perm[b:b + BATCH]
        xb = X_train[idx]
        yb = y_train[idx]

        optimizer.zero_grad()
        out = model(xb)
        loss = criterion(out, yb)
        loss.backward()
        optimizer.step()

        total_loss += loss * xb.size(0)  # <- culprit
        seen += xb.size(0)

    model.eval()
    with torch.no_grad():
        test = criterion(model(X_test), y_test)
    print('Epoch: {}/{} avg train loss since start: {:.4f}  test: {:.4f}'.format(
        epoch + 1, EPOCHS, float(total_loss) / seen, test.item()))

# ----------------- cell 4: look at some predictions
model.eval()
with torch.no_grad():
    p = model(X_test[:5]).squeeze(1)
for a, bb in zip(p, y_test[:5].squeeze(1)):
    print('pred', round(a.item() * cnt.std() + cnt.mean()), 'real', round(bb.item() * cnt.std() + cnt.mean()))
