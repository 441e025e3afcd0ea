# gradwatch-corpus: kind=graph-held
# holder: avg_loss
# first-bad: 1
# notice: 8
# coding: utf-8
# In[1]:
import math
import random
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(42)
random.seed(42)

# In[2]: hyper parameters
LOOK_BACK = 20
HIDDEN = 16
BATCH = 32
EPOCHS = 10
LR = 0.01

# In[3]: make fake prices of two companies
prices_a = [100.0]
for day in range(420):
    change = 0.0004 + 0.01 * math.sin(day / 15) + random.gauss(0, 0.012)
    prices_a.append(prices_a[-1] * (1 + change))

prices_b = [40.0]
for day in range(420):
    change = 0.0002 + 0.008 * math.cos(day / 22) + random.gauss(0, 0.015)
    prices_b.append(prices_b[-1] * (1 + change))

print("last prices", round(prices_a[-1], 2), round(prices_b[-1], 2))

# In[4]: scale to 0..1
low_a, high_a = min(prices_a), max(prices_a)
scaled_a = [(p - low_a) / (high_a - low_a) for p in prices_a]
low_b, high_b = min(prices_b), max(prices_b)
scaled_b = [(p - low_b) / (high_b - low_b) for p in prices_b]

# In[5]: windows
xs = []
ys = []
for i in range(len(scaled_a) - LOOK_BACK):
    window = []
    for j in range(LOOK_BACK):
        window.append([scaled_a[i + j], scaled_b[i + j]])
    xs.append(window)
    ys.append([scaled_a[i + LOOK_BACK], scaled_b[i + LOOK_BACK]])
X = torch.tensor(xs)
Y = torch.tensor(ys)
split = int(len(X) * 0.85)
X_train, Y_train = X[:split], Y[:split]
X_test, Y_test = X[split:], Y[split:]
print("train", tuple(X_train.shape), "test", tuple(X_test.shape))


# In[6]: the model
class StockLSTM(nn.Module):
    def __init__(self):
        super(StockLSTM, self).__init__()
        self.lstm = nn.LSTM(2, HIDDEN, batch_first=True)
        self.fc = nn.Linear(HIDDEN, 2)

    def forward(self, x):
        out, (h, c) = self.lstm(x)
        return self.fc(out[:, -1, :])


model = StockLSTM()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=LR)

# In[7]: helpers
avg_loss = None
best_epoch_loss = 1e9


def update_average(value):
    global avg_loss
    if avg_loss is None:
        avg_loss = value
    else:
        avg_loss = 0.95 * avg_loss + 0.05 * value  # <- culprit


def show(epoch, step):
    print("epoch", epoch, "step", step, "smoothed loss %.5f" % avg_loss.item())


# In[8]: train
step = 0
for epoch in range(EPOCHS):
    order = torch.randperm(len(X_train))
    epoch_losses = []
    for start in range(0, len(X_train), BATCH):
        idx = order[start:start + BATCH]
        xb = X_train[idx]
        yb = Y_train[idx]
        optimizer.zero_grad()
        pred = model(xb)
        loss = criterion(pred, yb)
        loss.backward()
        optimizer.step()
        epoch_losses.append(loss.item())
        update_average(loss)  # <- culprit
        if step % 20 == 0:
            show(epoch, step)
        step += 1
    mean = sum(epoch_losses) / len(epoch_losses)
    if mean < best_epoch_loss:
        best_epoch_loss = mean

# In[9]: test, back in dollars
model.eval()
with torch.no_grad():
    pred = model(X_test)
    pred_a = pred[:, 0] * (high_a - low_a) + low_a
    true_a = Y_test[:, 0] * (high_a - low_a) + low_a
    pred_b = pred[:, 1] * (high_b - low_b) + low_b
    true_b = Y_test[:, 1] * (high_b - low_b) + low_b
    print("company A error in dollars: %.2f" % (pred_a - true_a).abs().mean().item())
    print("company B error in dollars: %.2f" % (pred_b - true_b).abs().mean().item())
print("best epoch loss %.5f" % best_epoch_loss)
