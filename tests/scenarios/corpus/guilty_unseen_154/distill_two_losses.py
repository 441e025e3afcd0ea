# gradwatch-corpus: kind=second-backward
# first-bad: 0
# Question: hint based distillation (FitNets). Regressor is trained with its own optimizer.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(21)
torch.set_num_threads(1)


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 3, padding=1)
        self.conv2 = nn.Conv2d(width, width, 3, padding=1)
        self.fc = nn.Linear(width, 4)

    def features(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        return F.relu(self.conv2(x))

    def classify(self, f):
        return self.fc(f.mean((2, 3)))


class Quadrants(torch.utils.data.Dataset):
    """A bright blob in one of the four quadrants."""

    def __init__(self, n):
        self.y = torch.randint(0, 4, (n,))
        self.x = 0.3 * torch.randn(n, 1, 8, 8)
        for i, q in enumerate(self.y.tolist()):
            r, c = 4 * (q // 2), 4 * (q % 2)
            self.x[i, 0, r:r + 3, c:c + 3] += 1

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class FitNetTrainer:
    def __init__(self, teacher, student):
        self.teacher = teacher.eval()
        self.student = student
        self.regressor = nn.Conv2d(student.conv2.out_channels, teacher.conv2.out_channels, 1)
        self.opt = torch.optim.Adam(student.parameters(), 2e-3)
        self.opt_reg = torch.optim.Adam(self.regressor.parameters(), 2e-3)

    def hint_loss(self, fs, x):
        with torch.no_grad():
            ft = self.teacher.features(x)
        return F.mse_loss(self.regressor(fs), ft)

    def train_batch(self, x, y):
        self.opt.zero_grad()
        self.opt_reg.zero_grad()
        fs = self.student.features(x)
        cls = F.cross_entropy(self.student.classify(fs), y)
        hint = self.hint_loss(fs, x)
        cls.backward()  # <- culprit
        hint.backward()  # <- culprit
        self.opt.step()
        self.opt_reg.step()
        return cls.item(), hint.item()


def main():
    data = Quadrants(256)
    loader = torch.utils.data.DataLoader(data, batch_size=32, shuffle=True)
    trainer = FitNetTrainer(Net(16), Net(4))
    for epoch in range(10):
        tot = [0.0, 0.0]
        for x, y in loader:
            c, h = trainer.train_batch(x, y)
            tot[0] += c
            tot[1] += h
        print(epoch, [round(t / len(loader), 4) for t in tot])


if __name__ == "__main__":
    main()
