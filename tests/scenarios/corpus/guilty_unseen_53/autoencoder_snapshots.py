# gradwatch-corpus: kind=memory-climb
# holder: outputs
# first-bad: 1
# notice: 100
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset


class Shapes(Dataset):
    """28x28 pictures with one filled box each"""

    def __init__(self, n=4096):
        g = torch.Generator().manual_seed(0)
        self.boxes = torch.randint(2, 14, (n, 4), generator=g)

    def __len__(self):
        return len(self.boxes)

    def __getitem__(self, i):
        x, y, w, h = self.boxes[i].tolist()
        img = torch.zeros(1, 28, 28)
        img[0, y:y + h, x:x + w] = 1.0
        return img


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        # N, 784
        self.encoder = nn.Sequential(
            nn.Linear(28 * 28, 64),
            nn.ReLU(),
            nn.Linear(64, 16),
            nn.ReLU(),
            nn.Linear(16, 4)
        )
        self.decoder = nn.Sequential(
            nn.Linear(4, 16),
            nn.ReLU(),
            nn.Linear(16, 64),
            nn.ReLU(),
            nn.Linear(64, 28 * 28),
            nn.Sigmoid()
        )

    def forward(self, x):
        encoded = self.encoder(x)
        decoded = self.decoder(encoded)
        return decoded


torch.manual_seed(1)
data_loader = DataLoader(Shapes(), batch_size=128, shuffle=True)
model = Autoencoder()
criterion = nn.MSELoss()
optimizer = optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-5)

num_epochs = 5
outputs = []
for epoch in range(num_epochs):
    running = 0.0
    for step, img in enumerate(data_loader):
        img = img.reshape(-1, 28 * 28)
        recon = model(img)
        loss = criterion(recon, img)

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        running += loss.item()
        outputs.append((epoch, step, img, recon.detach()))  # <- culprit

    print(f'Epoch:{epoch + 1}, Loss:{running / len(data_loader):.4f}')

# text version of the picture that I show at the end
for k in range(0, len(outputs), len(data_loader) * 2):
    epoch, step, img, recon = outputs[k]
    row_in = img[0].view(28, 28)[10]
    row_out = recon[0].view(28, 28)[10]
    print("epoch", epoch)
    print("  in ", "".join("#" if v > 0.5 else "." for v in row_in))
    print("  out", "".join("#" if v > 0.5 else "." for v in row_out))
