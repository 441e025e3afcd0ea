# gradwatch-corpus: kind=retain-needless
# first-bad: 1
# notice: 60
# %% VAE on 6x6 sprites (week 7 exercise)
import torch
torch.set_num_threads(1)
from torch import nn, optim
from torch.nn import functional as F

torch.manual_seed(1)


# %% data
def sprites(n):
    img = torch.zeros(n, 6, 6)
    for k in range(n):
        r, c = torch.randint(0, 4, (2,)).tolist()
        img[k, r:r + 3, c] = 1
        img[k, r + 1, c:c + 3] = 1
    return img.view(n, 36)


# %% model
class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(36, 24)
        self.fc21, self.fc22 = nn.Linear(24, 3), nn.Linear(24, 3)
        self.fc3, self.fc4 = nn.Linear(3, 24), nn.Linear(24, 36)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        return mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = self.reparameterize(mu, logvar)
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z)))), mu, logvar


model = VAE()
optimizer = optim.Adam(model.parameters(), lr=3e-3)


# %% loss
def loss_function(recon_x, x, mu, logvar):
    bce = F.binary_cross_entropy(recon_x, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return bce + kld


# %% train
for epoch in range(1, 9):
    train_loss = 0
    for batch_idx in range(40):
        data = sprites(16)
        optimizer.zero_grad()
        recon, mu, logvar = model(data)
        loss = loss_function(recon, data, mu, logvar)
        loss.backward(retain_graph=True)  # <- culprit
        train_loss += loss.item()
        optimizer.step()
    print("====> Epoch: {} Average loss: {:.4f}".format(epoch, train_loss / (40 * 16)))
