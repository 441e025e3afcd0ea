# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
import torch
import torch.nn as nn
import torch.optim as optim

# wine quality from lab values, in the usual five steps
torch.manual_seed(1234)

# 1. data
N = 2000
names = ['acidity', 'sugar', 'chlorides', 'so2', 'ph', 'sulphates', 'alcohol']
lab = torch.randn(N, len(names))
quality = 5.5 + 0.8 * lab[:, 6] - 0.5 * lab[:, 0] + 0.3 * lab[:, 5] * lab[:, 4] + 0.3 * torch.randn(N)
train_x, test_x = lab[:1600], lab[1600:]
train_y, test_y = quality[:1600], quality[1600:]


# 2. model
class WineNet(nn.Module):
    def __init__(self, n_in):
        super(WineNet, self).__init__()
        self.fc1 = nn.Linear(n_in, 32)
        self.fc2 = nn.Linear(32, 16)
        self.fc3 = nn.Linear(16, 1)
        self.act = nn.LeakyReLU(0.1)

    def forward(self, x):
        x = self.act(self.fc1(x))
        x = self.act(self.fc2(x))
        return self.fc3(x).squeeze(1)


model = WineNet(len(names))

# 3. loss and optimizer
criterion = nn.MSELoss()
optimizer = optim.SGD(model.parameters(), lr=1e-4)


# 4. training
def train(epoch, batch_size=40):
    model.train()
    order = torch.randperm(len(train_x))
    total = 0.0
    for start in range(0, len(order), batch_size):
        idx = order[start:start + batch_size]
        output = model(train_x[idx])
        loss = criterion(output, train_y[idx])
        loss.backward()  # <- culprit
        optimizer.step()  # <- culprit
        total += loss.item() * len(idx)
    print('Train epoch: {} \tloss: {:.4f}'.format(epoch, total / len(order)))


# 5. test
def test():
    model.eval()
    with torch.no_grad():
        pred = model(test_x)
        rmse = (pred - test_y).pow(2).mean().sqrt().item()
    print('Test rmse: {:.4f}\n'.format(rmse))


if __name__ == '__main__':
    for epoch in range(1, 6):
        train(epoch)
        test()
