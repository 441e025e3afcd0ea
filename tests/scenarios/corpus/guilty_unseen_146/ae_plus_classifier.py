# gradwatch-corpus: kind=second-backward
# holder: z
# first-bad: 0
# notice: 0
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader
torch.set_num_threads(1)
torch.manual_seed(17)


class VibrationSet(Dataset):
    """bearing vibration windows: healthy / worn / broken"""

    def __init__(self, n=120, L=32):
        self.k = torch.randint(0, 3, (n,))
        t = torch.linspace(0, 6.28, L)
        f = torch.tensor([1., 3., 7.])[self.k]
        self.sig = torch.sin(f[:, None] * t) + .2 * torch.randn(n, L)

    def __len__(self):
        return len(self.k)

    def __getitem__(self, i):
        return self.sig[i], self.k[i]


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 6), nn.ReLU())

    def forward(self, s):
        return self.net(s)


encoder = Encoder()
decoder = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 32))
classifier = nn.Linear(6, 3)

mse = nn.MSELoss()
ce = nn.CrossEntropyLoss()
ae_opt = torch.optim.Adam(list(encoder.parameters()) + list(decoder.parameters()), lr=1e-3)
cl_opt = torch.optim.Adam(classifier.parameters(), lr=1e-3)


def fit(epochs, loader):
    for e in range(epochs):
        rec_sum = cls_sum = 0.
        for sig, k in loader:
            ae_opt.zero_grad()
            cl_opt.zero_grad()
            z = encoder(sig)
            rec_loss = mse(decoder(z), sig)
            cls_loss = ce(classifier(z), k)
            rec_loss.backward()  # <- culprit
            cls_loss.backward()  # <- culprit
            ae_opt.step()
            cl_opt.step()
            rec_sum += rec_loss.item()
            cls_sum += cls_loss.item()
        print(f'{e}: rec {rec_sum / len(loader):.4f}  cls {cls_sum / len(loader):.4f}')


fit(20, DataLoader(VibrationSet(), batch_size=12, shuffle=True))
