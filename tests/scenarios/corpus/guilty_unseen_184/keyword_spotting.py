# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1234)
SR = 1000
WORDS = ["yes", "no", "up", "down", "left", "right"]


class ToneWords(torch.utils.data.Dataset):
    """Every 'word' is a pair of tones one after the other, with noise."""

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        t = torch.arange(SR // 2) / SR
        self.y = torch.randint(0, len(WORDS), (n,), generator=g)
        f1 = 60 + 40 * self.y.float() + 4 * torch.randn(n, generator=g)
        f2 = 300 - 30 * self.y.float() + 4 * torch.randn(n, generator=g)
        f = torch.where(t[None] < 0.25, f1[:, None], f2[:, None])
        self.wave = torch.sin(6.2832 * f * t) + 0.5 * torch.randn(n, len(t), generator=g)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.wave[i], self.y[i]


def log_spec(wave, n_fft=64, hop=32):
    spec = torch.stft(wave, n_fft, hop, window=torch.hann_window(n_fft), return_complex=True)
    return (spec.abs() + 1e-3).log()


class M3(nn.Module):
    def __init__(self, n_freq=33, n_out=len(WORDS), c=24):
        super().__init__()
        self.conv1 = nn.Conv1d(n_freq, c, 3, padding=1)
        self.bn1 = nn.BatchNorm1d(c)
        self.conv2 = nn.Conv1d(c, c, 3, padding=1)
        self.bn2 = nn.BatchNorm1d(c)
        self.fc = nn.Linear(c, n_out)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        x = F.relu(self.bn2(self.conv2(F.max_pool1d(x, 2))))
        return F.log_softmax(self.fc(x.mean(-1)), dim=-1)


train_set, test_set = ToneWords(1280, 0), ToneWords(200, 1)
train_loader = torch.utils.data.DataLoader(train_set, batch_size=32, shuffle=True)
test_loader = torch.utils.data.DataLoader(test_set, batch_size=100)

model = M3()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=4, gamma=0.5)


def train(epoch, log_interval=20):
    model.train()
    for batch_idx, (data, target) in enumerate(train_loader):
        optimizer.zero_grad  # <- culprit
        output = model(log_spec(data))
        loss = F.nll_loss(output, target)
        loss.backward()
        optimizer.step()
        if batch_idx % log_interval == 0:
            print(f"Train Epoch: {epoch} [{batch_idx}/{len(train_loader)}] Loss: {loss.item():.5f}")


def test(epoch):
    model.eval()
    correct = 0
    with torch.no_grad():
        for data, target in test_loader:
            correct += (model(log_spec(data)).argmax(-1) == target).sum().item()
    print(f"Test Epoch: {epoch} Accuracy: {correct}/{len(test_set)}")


for epoch in range(1, 13):
    train(epoch)
    test(epoch)
    scheduler.step()
